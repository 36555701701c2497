/**
 * Control and direction characters. A text of several lines may also have line ends, and the joiners of emoji and of
 * some scripts. private.check_words and private.is_goal_text of the database refuse the same.
 */
const unprintable =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u
const allowedInLines = /[\n\u200c\u200d]/g

/** Whether a text has no control and no direction character. `hasLines`: it may have several lines. */
export function isPrintable(text: string, hasLines: boolean): boolean {
  return !unprintable.test(hasLines ? text.replace(allowedInLines, '') : text)
}
