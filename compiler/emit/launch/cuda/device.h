/* What the files of this folder share. */
#ifndef FLTC_EMIT_LAUNCH_CUDA_DEVICE_H
#define FLTC_EMIT_LAUNCH_CUDA_DEVICE_H

#include "emit/emission.h"

/* emit_device.c: the functions of the host that run kernels on a device. */
extern const struct host_dialect host_of_device;

/* emit_host_images.c: NAME, which runs a filter on images of the host. */
void emit_run_of_host_images(struct emission *e);

#endif
