/**
 * Checks in the browser that the entry of /transparency/<row> is in the signed log. Loaded by check-row-button.ts when
 * its first button is pressed. It reads the proof from the page and sends nothing.
 */
import { checkRow, onPress } from './row-proof.ts'

onPress('row', async (data) => (await checkRow(data))[1])
