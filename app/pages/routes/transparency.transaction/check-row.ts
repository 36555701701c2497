/**
 * Checks in the browser that the entry of /transparency/<row> is in the signed log. check-row-button.ts loads
 * this script when its first button is pressed. The script reads the proof from the page and sends nothing.
 */
import { gap, say } from '~/platform/locales/say.ts'
import { describeRow, onPress } from './check-result.ts'
import type { checkSentences } from './check-sentences'
import { checkRow } from './row-proof.ts'

onPress('row', async (data) => {
  const row = await checkRow(data)
  return [`${describeRow(row)}${gap()}${say<typeof checkSentences>('paymentUnchecked')}`, row.isSigned]
})
