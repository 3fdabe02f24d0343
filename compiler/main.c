#include "frontend/elaborate.h"
#include "pass_manager.h"
#include "emit/emit.h"
int main(int argc, char **argv)
{
    struct session *s = session_create();
    const struct module_set *m = load_modules(s, argv[1]);
    if (m && !s->diagnostics.error_count) {
        struct elaborate_options o = {0};
        const struct ast *f = elaborate_choose(s, m, NULL);
        const struct graph *g = f ? elaborate_filter(s, m, f, &o) : NULL;
        if (g) {
            struct pass_options po = {.verify_each = true, .dump = argc > 2 ? argv[2] : NULL};
            struct pass_result r = run_passes(s, g, target_find("c"), &po);
            if (r.problem) printf("%s\n", r.problem);
            struct emit_options eo = {.stem = "t"};
            struct emitted e = emit_program(s, r.program, target_find("c"), &eo);
            for (size_t i = 0; i < e.files.count; i++) {
                char n[100]; snprintf(n, 100, "/tmp/%s", e.files.item[i].name);
                FILE *fp = fopen(n, "w"); fwrite(e.files.item[i].text, 1, e.files.item[i].length, fp); fclose(fp);
            }
        }
    }
    struct text t = text_create(s->permanent);
    diagnostics_render_text(&s->diagnostics, &t, false);
    fputs(t.bytes ? t.bytes : "", stderr);
    session_destroy(s);
    return 0;
}
