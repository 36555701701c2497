/**
 * Control and direction characters. Every text may contain the joiners of emoji and of some scripts, a text of
 * several lines also line endings. The database functions private.check_words and private.is_goal_text refuse the
 * same characters.
 */
const unprintable = () =>
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u
const joiners = /[\u200c\u200d]/g
const allowedInLines = /[\n\u200c\u200d]/g

/** True if a text has no control or direction characters. `hasLines`: the text may have several lines. */
export function isPrintable(text: string, hasLines: boolean): boolean {
  return !unprintable().test(text.replace(hasLines ? allowedInLines : joiners, ''))
}
