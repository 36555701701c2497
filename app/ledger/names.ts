import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The `title` of our name for a wallet: nothing verifies the name, so it has the address too. */
export function namedByUs(address: string): MessageDescriptor {
  return msg`${address}, as named by us`
}
