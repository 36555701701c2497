/**
 * Checks in the browser that the entry of /transparency/<row> is in the signed log. Loaded by check-row-button.ts when
 * its first button is pressed. It reads the proof from the page and sends nothing.
 */
import { checkRow, onPress } from './row-proof.ts'

onPress('row', async (data) => {
  const { found, isSigned } = await checkRow(data)
  return [`${found} Not checked: whether it was paid, and whether a later entry corrects it.`, isSigned]
})
