#!/bin/sh
# miniflare starts this script instead of workerd (MINIFLARE_WORKERD_PATH), so that workerd ends with its parent.
exec "${0%/*}/run-with-parent.sh" "$WORKERD" "$@"
