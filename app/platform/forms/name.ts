/** Characters without width that are noise in a name: apps add them to a copied text. */
const noise =
  /\u034f|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202c\u2060-\u206f\u3164\uffa0\u2800\ufeff]/g
/** Characters that change the order of other characters, hide a text, or are no text. */
const deceptive = () => /[\p{Cc}\p{Cs}\u202d\u202e\u2028\u2029\ufff9-\ufffb\u{e0000}-\u{e007f}]/u
/** A flag of a part of a country: an emoji whose letters are hidden characters. */
const flags = /\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}/gu
/**
 * Joiners where they have an effect: in emoji, and between letters of scripts that join letters (Arabic,
 * Syriac, Mongolian, the scripts of India and its neighbours).
 */
const joiners = () =>
  /(?<!\ufe0f|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\u0900-\u0dff\u1000-\u109f\u1780-\u17ff])[\u200c\u200d]|[\u200c\u200d](?![\p{Extended_Pictographic}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\u2640\u2642])/gu

/**
 * An entered name in one form: NFC, without invisible characters that are noise. 'deceptive' if it has
 * characters that make a reader see another name. Joiners of scripts and of emoji stay. The database function
 * private.is_name refuses the same characters.
 */
export function readName(typed: string): { name: string } | { fault: 'deceptive' } {
  const name = withoutIdleJoiners(typed.normalize('NFC').replace(noise, '')).trim()
  if (deceptive().test(name.replace(flags, ''))) return { fault: 'deceptive' }
  return { name: isVisible(name) ? name : '' }
}

/** A text without joiners where they have no effect. */
export function withoutIdleJoiners(text: string): string {
  return text.replace(joiners(), '')
}

/** True if a text has a character that can be seen. */
function isVisible(text: string): boolean {
  return /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u.test(text)
}
