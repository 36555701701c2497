/**
 * Checks the row of /transparency/<row> in the browser: that its entry is in the log that was signed. Loaded by
 * check-row-button.ts when it is pressed. It reads the proof from the page and sends nothing.
 */
import { checkRow, onPress } from './row-proof.ts'

onPress('row', async (data) => (await checkRow(data))[1])
