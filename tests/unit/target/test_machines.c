/* Machines, and what follows from their figures. */
#include "target/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What passes had before there were other machines. */
static void generic_machines_cost_what_they_did(void **state)
{
    (void)state;
    const struct machine *cores = target_machine(target_find("c"));
    const struct machine *device = target_machine(target_find("cuda"));
    assert_int_equal(4, machine_byte_cost(cores));
    assert_int_equal(1, machine_load_cost(cores));
    assert_int_equal(0, machine_launch_cost(cores));
    assert_int_equal(7, machine_byte_cost(device));
    assert_int_equal(4, machine_load_cost(device));
    assert_int_equal(1024, machine_launch_cost(device));
    assert_int_equal(1 << 19, target_fast_bytes(target_find("c")));
    assert_int_equal(48 << 10, target_fast_bytes(target_find("cuda")));
    assert_int_equal(32 << 10, target_fast_bytes(target_find("opencl")));
}

static void a_language_bounds_the_memory_of_a_machine(void **state)
{
    (void)state;
    struct target target = *target_find("opencl");
    target.machine = machine_find("h100", true);
    assert_int_equal(228 << 10, target.machine->shared_bytes);
    assert_int_equal(32 << 10, target_fast_bytes(&target));
    assert_int_equal(10, machine_byte_cost(target.machine));
}

static void machines_are_of_one_kind(void **state)
{
    (void)state;
    char names[MACHINES_TEXT];
    assert_null(machine_find("h100", false));
    assert_null(machine_find("h1000", true));
    assert_false(machine_find("generic", false)->is_device);
    assert_string_equal("generic", machine_names(false, names));
    assert_string_equal("generic, h100, h200", machine_names(true, names));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generic_machines_cost_what_they_did),
        cmocka_unit_test(a_language_bounds_the_memory_of_a_machine),
        cmocka_unit_test(machines_are_of_one_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
