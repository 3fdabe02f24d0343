"""Pages of the library in a folder. Prints what is wrong and 'N passed, N failed'."""
import html.parser
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
VOID = {"meta", "link", "br"}
passed, faults = 0, []


def check(good, what):
    global passed
    passed += bool(good)
    if not good:
        faults.append(what)


class Page(html.parser.HTMLParser):
    def __init__(self, name, text):
        super().__init__()
        self.open, self.ids, self.links, self.texts, self.faults = [], set(), [], [], []
        self.feed(text)
        self.close()
        self.text = "".join(self.texts)
        if self.open:
            self.faults.append(f"never closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attributes:
            if attributes["id"] in self.ids:
                self.faults.append(f"two of id {attributes['id']}")
            self.ids.add(attributes["id"])
        if "href" in attributes:
            self.links.append(attributes["href"])
        if tag == "script":
            self.faults.append("a script")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.texts.append(data)


pages = {p.name: Page(p.name, p.read_text()) for p in folder.glob("*.html")}
for name, page in pages.items():
    check(not page.faults, f"{name}: {page.faults}")
    for link in page.links:
        target, _, part = link.partition("#")
        target = target or name
        there = (folder / target).exists() and (not part or part in pages[target].ids)
        check(there, f"{name}: {link} leads nowhere")

for module in sorted(pathlib.Path("stdlib").glob("*.flt")):
    source = module.read_text()
    page = pages.get(f"std.{module.stem}.html")
    check(page, f"{module} has no page")
    if not page:
        continue
    check(f"std.{module.stem}.html" in pages["index.html"].links, f"{module} is not in the index")
    for item in re.findall(r"^(?:(?:fast )?filter|fn) (\w+)", source, re.M):
        check(item in page.ids, f"{module}: {item} is not on its page")
    for example in re.findall(r"^example .*?^\}", source, re.M | re.S):
        check(page.text.count(example) == 1, f"{module}: an example is there {page.text.count(example)} times")
    for comment in re.findall(r"^// (.*)$", source, re.M):
        words = comment.replace("`", "").split()
        check(" ".join(words) in " ".join(page.text.split()), f"{module}: a comment is not on its page: {comment}")
print(*faults, sep="\n")
print(f"document: {passed} passed, {len(faults)} failed")
sys.exit(bool(faults))
