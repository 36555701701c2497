import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/**
 * The `title` attribute for our name for a wallet. Nothing verifies this name, so the attribute also contains
 * the address.
 */
export function namedByUs(address: string): MessageDescriptor {
  return msg`${address}, as named by us`
}
