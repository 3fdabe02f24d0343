"""Makes of emitted C what terms.hpp can compile, from standard input to standard output.

c ? a : b, a && b and a || b become calls, whose operands that C may leave out are functions: C++
has no such operators for classes. The texts of helpers that functions.hpp has are taken out.
Lines of the preprocessor stay as they are. The first argument is the folder of functions.hpp.
"""

import ast
import re
import sys

TOKEN = re.compile(
    r"""(?P<space>\s+|\\\n|/\*.*?\*/|//[^\n]*)
      |(?P<directive>(?<![^\n])[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
      |(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      |(?P<number>\.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.])*)
      |(?P<name>[A-Za-z_]\w*)
      |(?P<mark><<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|>>|\#\#|.)""",
    re.X | re.S,
)
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}


def tokens_of(text):
    """(kind, text) in order; a directive is recognised at the start of a line."""
    at, found = 0, []
    fresh = True
    while at < len(text):
        match = None
        if fresh:
            match = re.compile(r"[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.S).match(text, at)
            kind = "directive"
        if not match:
            match = TOKEN.match(text, at)
            kind = match.lastgroup
        piece = match.group(0)
        found.append((kind, piece))
        at = match.end()
        fresh = kind in ("space", "directive") and (piece.endswith("\n") or fresh and kind == "space")
    return found


class Expression:
    """Rewrites tokens between brackets."""

    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def rest(self, close):
        """The text up to the closing bracket, or to the end: pieces between separators."""
        out, piece = [], []
        while self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            if text == close and kind == "mark":
                break
            self.at += 1
            if kind == "directive":
                out.append(conditional(piece))
                out.append(text)
                piece = []
            elif kind == "mark" and text in OPEN:
                inside = self.rest(OPEN[text])
                self.at += 1
                piece.append(("group", text + inside + OPEN[text]))
                if text == "{":
                    out.append(conditional(piece))
                    piece = []
            elif kind == "mark" and text in (";", ",") or kind == "mark" and text in ASSIGN:
                out.append(conditional(piece))
                out.append(text)
                piece = []
            elif kind == "name" and text in ("return", "case", "typedef", "const", "else"):
                out.append(conditional(piece))
                out.append(text)
                piece = []
            else:
                piece.append((kind, text))
        out.append(conditional(piece))
        return "".join(out)


def join(piece):
    return "".join(text for _, text in piece)


def conditional(piece):
    """c ? a : b, right to left; then disjunctions."""
    for i, (kind, text) in enumerate(piece):
        if kind == "mark" and text == "?":
            depth = 0
            for k in range(i + 1, len(piece)):
                if piece[k][0] != "mark":
                    continue
                if piece[k][1] == "?":
                    depth += 1
                if piece[k][1] == ":":
                    if depth == 0:
                        return "%sterms::choose(%s, [&] { return %s; }, [&] { return %s; })" % (
                            lead(piece[:i]),
                            disjunction(strip(piece[:i])),
                            conditional(strip(piece[i + 1 : k])).strip(),
                            conditional(strip(piece[k + 1 :])).strip(),
                        )
                    depth -= 1
            raise ValueError("? without :")
    return disjunction(piece)


def lead(piece):
    text = join(piece)
    return text[: len(text) - len(text.lstrip())]


def strip(piece):
    while piece and piece[0][0] == "space":
        piece = piece[1:]
    while piece and piece[-1][0] == "space":
        piece = piece[:-1]
    return piece


def split(piece, operator):
    parts, part = [], []
    for token in piece:
        if token == ("mark", operator):
            parts.append(part)
            part = []
        else:
            part.append(token)
    return parts + [part]


def disjunction(piece):
    return chain(piece, "||", "disjunction", conjunction)


def conjunction(piece):
    return chain(piece, "&&", "conjunction", join)


def chain(piece, operator, function, inner):
    parts = split(piece, operator)
    if len(parts) == 1:
        return inner(piece)
    first = lead(piece)
    result = inner(strip(parts[0]))
    for part in parts[1:]:
        result = "terms::%s(%s, [&] { return %s; })" % (function, result, inner(strip(part)))
    return first + result


def helpers_of(folder):
    """Names of the helpers in functions.hpp: flt_NAME."""
    text = open(folder + "/functions.hpp").read()
    names = set(re.findall(r"TERMS_HELPER\((\w+)", text)) - {"name"}
    for name in re.findall(r"^TERMS_HELPER_OF_FLOATS\((\w+)", text, re.M):
        names |= {name + "_f32", name + "_f64"}
    for name in re.findall(r"^TERMS_HELPER_OF_INTEGERS\((\w+)", text, re.M):
        names |= {name + "_i32", name + "_i64"}
    for name in re.findall(r"^TERMS_FITS\((\w+)", text, re.M):
        for how in ("round_f32", "round_f64", "trunc_f32", "trunc_f64", "saturate_i32", "saturate_i64"):
            names.add(name + "_" + how)
    table = open(folder + "/../../compiler/elementary/elementary.def").read()
    for name in re.findall(r"^ELEMENTARY\(\w+, (\w+)", table, re.M):
        names |= {name + "_f32", name + "_f64"}
    table = open(folder + "/../../compiler/transform/transforms.def").read()
    for name in re.findall(r"^TRANSFORM\(\w+, (\w+)", table, re.M):
        for level in ("", "_base", "_v3", "_v4"):
            names |= {name + "_lines_f32" + level, name + "_lines_f64" + level}
    return {name for name in names if "##" not in name and not name.startswith("type")}


def without_helpers(text, names):
    """The definitions of the helpers taken out; calls of them go to functions.hpp."""
    found = set()

    def take(match):
        if match.group("name") not in names:
            return match.group(0)
        found.add(match.group("name"))
        return ""

    pattern = r"^(?:FLT_V\d )?(?:static|FLT_INLINE)[^;{}()]*\bflt_(?P<name>\w+)\([^{};]*\)\s*\{.*?^\}\n"
    text = re.sub(pattern, take, text, flags=re.M | re.S)
    for name in found:
        text = re.sub(r"^#(define|undef) flt_%s\b.*\n" % name, "", text, flags=re.M)
        text = re.sub(r"\bflt_%s\b" % name, "terms_helper_" + name, text)
    return text


ENTRY = """
extern "C" terms::plain_int terms_run(terms::plain_int what, void *const *data, void *const *extents,
    const ptrdiff_t *const *strides, const void *const *parameters, terms::plain_int threads)
{
    flt_arguments arguments = {};
    arguments.size = sizeof arguments;
    arguments.data = data;
    arguments.extents = (int32_t *const *)extents;
    arguments.strides = strides;
    arguments.parameters = parameters;
    arguments.threads = threads;
    return %s.call(what, &arguments);
}
"""


# What OpenCL C has not of C's own: C++ has it.
PROLOGUE = re.compile(
    r"""^(?:\#pragma\ OPENCL.*|typedef\ \w+\ u?int\d+_t;|\#undef\ NAN
        |\#define\ (?:NAN|FLT_RESTRICT|U?INT\d+_\w+(?:\(v\))?|(?:fabs|floor|ceil|rint|trunc|copysign|fma|sqrt)f)\ .*
        |\#ifdef\ FLT_IN_DOUBLE\n\#define\ sqrtf.*\n\#else\n\#define\ sqrtf.*\n\#endif
        |\#ifdef\ __NV_CL_C_VERSION\n(?:\#.*\n)+?\#endif)\n""",
    re.M | re.X,
)


def with_kernels(text):
    """The kernels' text, which an OpenCL file holds as strings, as C++ before it: namespace kernels."""
    strings = re.search(r"^static const char \*const \w+_text\[\] = \{\n(.*?)\};\n", text, re.M | re.S)
    if not strings:
        return text
    kernels = "".join(ast.literal_eval(piece) for piece in re.findall(r'"(?:[^"\\]|\\.)*"', strings.group(1)))
    kernels = PROLOGUE.sub("", kernels)
    names = re.findall(r"^__kernel __attribute__\(\(.*\)\)\nvoid (\w+)\(", kernels, re.M)
    rows = "".join(
        '    {"%s", [](const void *given) { terms::call_kernel(kernels::%s, given); }},\n' % (name, name) for name in names
    )
    table = FIND_KERNEL % rows
    # The embedded text is not read again.
    rest = text[: strings.start(1)] + '    ""' + text[strings.end(1) :]
    begin = rest.rindex("\n", 0, strings.start()) + 1
    kernels = "namespace kernels\n{\n" + kernels + "}\n"
    return rest[:begin] + kernels + table + rest[begin:]


FIND_KERNEL = """
static const terms_kernel terms_kernels[] = {
%s};
static const terms_kernel *terms_find_kernel(const char *name)
{
    for (const terms_kernel &k : terms_kernels)
        if (strcmp(k.name, name) == 0)
            return &k;
    return NULL;
}
"""


def index_as_number(match):
    """The bounds from which a loop begins; several variables: as they are."""
    name, first, end = match.groups()
    if first.count("(") != first.count(")"):
        return match.group(0)
    return "for (int64_t %s = terms::number(%s)%s" % (name, first, end)


def main():
    text = without_helpers(with_kernels(sys.stdin.read()), helpers_of(sys.argv[1]))
    # Vectors that are shuffled and added are arrays of values; those of the widest processor, too.
    text = text.replace("defined(__clang__) || __GNUC__ >= 12", "1").replace("defined(__AVX512F__) && (1)", "1")
    text = re.sub(
        r"typedef (\w+) (\w+) __attribute__\(\(vector_size\((\d+)\), aligned\(\d+\), may_alias\)\);",
        r"typedef terms::lanes<\1, \3 / sizeof(\1)> \2;",
        text,
    )
    # Each call opens its device: what one has left is gone (memory_clear).
    text = re.sub(r"^    static (struct \w+_device \*device);", r"    \1 = NULL;", text, flags=re.M)
    text = text.replace("(cudaError_t)(", "(cudaError_t)(terms::plain_int)(")
    text = re.sub(
        r"(?:alignas\(16\) __shared__|__local) (\w+) (\w+)\[(\d+)\](?: __attribute__\(\(aligned\(16\)\)\))?;",
        r"TERMS_SHARED(\1, \2, \3);",
        text,
    )
    # Accesses to several samples: a number of the template; vectors, which C++ has not.
    text = text.replace("template <int count, ", "template <terms::plain_int count, ")
    text = re.sub(r"vstore(\d+)\(\*\(const \w+ \w+ \*\)(&[^;]*?),\s+0,\s+(&[^;]*)\);", r"terms::access(\2, \3, \1);", text)
    text = re.sub(r"\*\(\w+ \w+ \*\)(&[^;]*?)\s+=\s+vload(\d+)\(0,\s+(&[^;]*)\);", r"terms::access(\3, \1, \2);", text)
    # Coordinates are numbers in the language's definition, too, whatever parameters they come from.
    text = re.sub(r"\bfor \(int64_t (\w+) =\s+([^;,]*(?:\([^;]*\))?[^;,]*)([;,])", index_as_number, text)
    # Else C without extensions: no atomics, no threads.
    sys.stdout.write("#undef __GNUC__\n#undef __linux__\n")
    # Sizes of types are asserted by conditions that stay C.
    kept = re.split(r"(^typedef char .*?;\n)", text, flags=re.M | re.S)
    for i, part in enumerate(kept):
        if i % 2 == 0:
            part = Expression(tokens_of(part)).rest(None)
        sys.stdout.write(part)
    sys.stdout.write(ENTRY % re.search(r"^const struct flt_filter (\w+_filter) =", text, re.M).group(1))


main()
