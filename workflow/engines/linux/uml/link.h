/* SPDX-License-Identifier: GPL-2.0 */
#include "dumbbell.h"

long link_delays(const struct link_delays __user *from);
long link_read(const struct link_read __user *from);
long link_log(struct sources_array __user *to);
