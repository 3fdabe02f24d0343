#!/usr/bin/env python3
"""Each sentence of verifiers, of readers of texts, of circuits that refuse, and of passes that decline a
schedule stands in a test: a line there has its constant words, in order. Usage, in the root: sentences.py COMPILER"""
import re, sys
from pathlib import Path

IS_SOURCE = re.compile(r'(_verify|(expr|graph|loop|circuit)_read|ir_tokens)\.c$|refusals\.def$')
SPEAKS = re.compile(r'\bdecline\(|\brefuse(_stage)?\([^;]*\bREFUSED_')
CONVERSION = re.compile(r'%(?:\.\*|\d+)?(?:zu|ll?[du]|[a-z])')
WORD = re.compile(r'[A-Za-z]{2,}')


def text_of(path):
    text = path.read_text()
    if path.suffix in ('.c', '.h', '.def'):  # literals side by side are one
        text = re.sub(r'\bPRI\w+', '"d"', text.replace("'\"'", '').replace(r'\"', "''"))
        return re.sub(r'"\s*"', '', text)
    return text.replace('"', "''")


def sentences(folder):
    for path in sorted(p for p in folder.rglob('*') if p.suffix in ('.c', '.def')):
        if IS_SOURCE.search(path.name) or SPEAKS.search(path.read_text()) and path.suffix == '.c':
            code = re.sub(r'/\*.*?\*/|#include[^\n]*|assert\([^\n]*', '', text_of(path), flags=re.S)
            for literal in re.findall(r'"([^"\n]*)"', code):
                words = CONVERSION.split(literal)
                if len(WORD.findall(' '.join(words))) > 1 and ' ' in ' '.join(words).strip():
                    yield f'{path.relative_to(folder)}: {literal}', words


lines = set()
TESTS = ('unit/**/*.[ch]', 'diagnostics/*.text', 'golden/*.graph')
for path in [path for pattern in TESTS for path in Path('tests').glob(pattern)]:
    lines.update(line for line in text_of(path).split('\n') if ' ' in line)
tested = '\n'.join(lines)


def is_tested(words):
    longest = max(words, key=len)
    pattern = re.compile('.*?'.join(map(re.escape, words)))
    at = tested.find(longest)
    while at >= 0:
        end = tested.find('\n', at) % (len(tested) + 1)
        if pattern.search(tested, tested.rfind('\n', 0, at) + 1, end):
            return True
        at = tested.find(longest, end)
    return False


missing = [sentence for sentence, words in sentences(Path(sys.argv[1])) if not is_tested(words)]
for sentence in missing:
    print(f'{sentence}\n    stands in no test', file=sys.stderr)
sys.exit(bool(missing))
