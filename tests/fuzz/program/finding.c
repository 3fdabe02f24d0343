#include "program/finding.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const finding_text[] = {
    "nothing",
    "refused",
    "formatting and parsing",
    "fault of a pass",
    "printing and reading back",
    "difference of interpreters",
    "the C compiler refuses",
    "difference of emitted code",
    "a schedule",
    "crash",
};

void finding_set(struct finding *finding, enum finding_kind kind, const char *detail,
                 const char *format, ...)
{
    if (finding->kind != FOUND_NOTHING)
        return;
    finding->kind = kind;
    snprintf(finding->detail, sizeof finding->detail, "%s", detail);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
}

void finding_catch_words(const char *folder)
{
    char path[300];
    snprintf(path, sizeof path, "%s/child.log", folder);
    const int log = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (log >= 0) {
        dup2(log, STDERR_FILENO);
        close(log);
    }
}

void finding_set_crash(struct finding *finding, const char *detail, int status, const char *folder)
{
    char path[300], words[600];
    snprintf(path, sizeof path, "%s/child.log", folder);
    FILE *file = fopen(path, "rb");
    const size_t got = file ? fread(words, 1, sizeof words - 1, file) : 0;
    words[got] = 0;
    if (file)
        fclose(file);
    finding_set(finding, FOUND_CRASH, detail, "%s\n%s",
                WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it exited", words);
}
