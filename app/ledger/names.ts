import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The title of a name that we gave to a wallet: nothing verifies such a name, so it never stands alone. */
export function namedByUs(address: string): MessageDescriptor {
  return msg`${address}, as named by us`
}
