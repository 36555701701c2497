import { msg } from '@lingui/core/macro'
import type { NoticeMessage } from '../../platform/forms/notice'
import { setNotice } from '../../platform/forms/notice.server'
import type { CookieJar } from '../../platform/server/cookies.server'

function refusal(text: NoticeMessage['text']): NoticeMessage {
  return { title: msg`Validation Error`, text, destructive: true }
}

/** The toasts, by key, that the next page may show after a change of the profile or its picture. */
export const profileNotices = {
  'profile-saved': { title: msg`Success`, text: msg`Profile updated successfully` },
  'picture-saved': { title: msg`Success`, text: msg`Picture updated successfully` },
  'picture-removed': { title: msg`Success`, text: msg`Picture removed` },
  'picture-missing': refusal(msg`Choose a picture first`),
  'picture-type': refusal(msg`This file isn't a JPEG, PNG, WebP or AVIF picture`),
  'picture-pixels': refusal(
    msg`This picture is too large. The limit is 12,000 pixels per side and 50 million in total`,
  ),
  'picture-damaged': refusal(msg`This picture is damaged or incomplete`),
  'picture-not-reduced': refusal(
    msg`We couldn't make this picture smaller. Choose a JPEG or PNG of at most 2 MB and 4 million pixels`,
  ),
  'picture-not-saved': {
    title: msg`Error`,
    text: msg`We couldn't save the picture. Please try again`,
    destructive: true,
  },
  'picture-limit': {
    title: msg`Error`,
    text: msg`Too many pictures at once. Please wait a minute`,
    destructive: true,
  },
} as const satisfies Record<string, NoticeMessage>

/** Shows on the next page that the profile was saved. */
export function announceSaved(cookies: CookieJar): void {
  setNotice(cookies, 'profile-saved' satisfies keyof typeof profileNotices)
}

/** Shows on the next page the result of saving or removing a picture. */
export function announcePicture(
  cookies: CookieJar,
  outcome: Extract<keyof typeof profileNotices, `picture-${string}`>,
): void {
  setNotice(cookies, outcome)
}
