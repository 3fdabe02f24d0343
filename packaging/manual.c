/* The manual page fltc.1 from the tables of commands, options, targets and files: to standard output.
 * words[1]: the version. */
#include <stdio.h>

/* Text in which roff sees nothing special. A line does not begin with a dot or quote here. */
static void print_text(const char *text)
{
    for (; *text; text++)
        if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else
            putchar(*text);
}

static void print_command(const char *name, const char *arguments, const char *help)
{
    printf(".TP\n\\fBfltc %s\\fR ", name);
    print_text(arguments);
    printf("\n");
    print_text(help);
    printf("\n");
}

static void print_option(const char *name, char letter, const char *argument, const char *commands,
                         const char *help)
{
    printf(".TP\n\\fB");
    if (letter)
        printf("\\-%c\\fR, \\fB", letter);
    printf("\\-\\-");
    print_text(name);
    printf("\\fR");
    if (argument) {
        printf(" \\fI");
        print_text(argument);
        printf("\\fR");
    }
    printf("\n");
    print_text(help);
    printf(" (");
    print_text(commands);
    printf(")\n");
}

static void print_commands(void)
{
    printf(".SH COMMANDS\n");
#define COMMAND(name, arguments, help) print_command(#name, arguments, help);
#include "command/commands.def"
#undef COMMAND
    printf(".TP\n.B fltc \\-\\-help\ncommands and options\n"
           ".TP\n.B fltc \\-\\-version\nthe version\n");
}

static void print_options(void)
{
    printf(".SH OPTIONS\nCommands that take an option stand in parentheses.\n");
#define OPTION(field, name, letter, argument, commands, help)                                      \
    print_option(name, letter, argument, commands, help);
#define OPTION_LIST OPTION
#include "command/options.def"
#undef OPTION
#undef OPTION_LIST
}

int main(int count, char **words)
{
    printf(".TH FLTC 1 \"\" \"fltc %s\"\n"
           ".SH NAME\nfltc \\- compiler of image filters written as mathematics\n"
           ".SH SYNOPSIS\n.B fltc\n.I command\n.RI [ options ]\n.IR file ...\n"
           ".SH DESCRIPTION\n"
           "A filter is a text,\n.IR name .flt,\nthat says what each sample of the result is. fltc "
           "runs it "
           "on image files, or writes it as\nC99 to be compiled into a program. A parameter of the "
           "filter is an option:\n.BR \"\\-\\-sigma 3\" .\n"
           "With several images each file is named for its image:\n.BR \"in=a.png mask=b.png\" .\n",
           count > 1 ? words[1] : "");
    print_commands();
    print_options();
    printf(
        ".SH EXIT STATUS\n"
        ".TP\n0\ndone\n.TP\n1\nthe program or its input is wrong\n"
        ".TP\n2\na fault of fltc\n.TP\n3\nwrong usage\n"
        ".SH ENVIRONMENT\n"
        ".TP\n.B CC\nthe C compiler of\n.BR \"fltc run\" ;\ncc without it\n"
        ".TP\n.B XDG_CACHE_HOME\nthe folder of compiled filters;\n.I ~/.cache\nwithout it\n"
        ".TP\n.B TMPDIR\nwhere filters are compiled;\n.I /tmp\nwithout it, or where others can "
        "change it\n"
        ".TP\n.B FLTC_LIBCLANG\nthe libclang that reads headers of C functions\n"
        ".TP\n.B NO_COLOR\nmessages without colors\n"
        ".SH SECURITY\n"
        "A filter can do nothing but compute, unless it or a file that it imports declares a "
        "function of C,\n.BR \"extern fn\" .\nSuch a function is code that runs as you:\n"
        ".TP\n.BR run \", \" test \", \" interpret \", \" tune \" and \" \"emit "
        "\\-\\-interpret\\-each\"\n"
        "compile its header and what\n.B \\-\\-with\nnames, load that and call it.\n"
        ".TP\n.BR check \", \" emit \", \" explain \" and \" schedule\n"
        "read its header, wherever it and its includes lie, and run nothing of it. They give it "
        "up\nafter 10 seconds or 1 GiB.\n"
        ".TP\n.BR format \" and \" doc\nread no header.\n"
        ".PP\nFor a file of a stranger, give\n.BR \\-\\-no\\-extern :\n"
        "it refuses such functions before a header is read. The filter can still take much time "
        "and\nmemory; limit these with\n.BR ulimit .\n"
        "Imports may name any file that you may read.\n"
        ".PP\nCompiled filters are kept in\n.IR $XDG_CACHE_HOME/fltc ,\nof mode 0700, but for "
        "those that call functions of C.\nA folder that others can change is not used. "
        "Deleting it is safe.\n"
        ".SH COMPLEX NUMBERS\n"
        "NPY, TIFF (two channels of floats) and raw files keep complex samples. PNG, JPEG and PNM "
        "show\nthem: log(1 + |z|) of each, 0 black and the greatest white, with a warning that "
        "tells the greatest.\nFrequency 0 is in the middle along axes that hold all frequencies of "
        "a line; not along the one that\nrfft halves, nor where nothing was transformed.\n"
        ".B \\-Wno\\-magnitude\nswitches the warning off,\n.B \\-Werror=magnitude\nrefuses to "
        "write such files.\n"
        ".SH STACKS\n"
        "Pages of a TIFF have the axes t, z and c that ImageJ or OME\\-XML names; so are they "
        "written, with\nOME\\-XML where the name ends in\n.IR .ome.tif .\n"
        "How far apart samples are is kept along axes of the same name and extent. A word\n"
        ".BI t: PATTERN\nis one image, whose files, in the order of the numbers in their names, "
        "are stacked along t;\n.B \\-o\n.BI t: NAME\nsaves a file for each place along t, named "
        "by a number,\n.IR %%04d ,\nor as the files that are stacked.\n"
        ".SH EXAMPLES\n.nf\n"
        "fltc run mean.flt \\(aqt:frames/*.png\\(aq \\-o t:out/\n"
        "fltc run blur.flt photo.png \\-o soft.png\n"
        "fltc check blur.flt\n"
        "fltc explain E0401\n"
        "fltc emit blur.flt \\-o blur.c\n.fi\n");
    return 0;
}
