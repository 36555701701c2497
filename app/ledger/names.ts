import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The title of our name for a wallet. Nothing verifies this name, so the title has the address too. */
export function namedByUs(address: string): MessageDescriptor {
  return msg`${address}, as named by us`
}
