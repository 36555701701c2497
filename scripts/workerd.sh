#!/bin/sh
# miniflare starts this in place of workerd (MINIFLARE_WORKERD_PATH), so that no workerd outlives its parent.
exec "${0%/*}/run-with-parent.sh" "$WORKERD" "$@"
