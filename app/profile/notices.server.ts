import type { Notice } from '../forms/notice'
import { setNotice } from '../forms/notice.server'
import type { CookieJar } from '../server/cookies.server'

function refusal(text: string): Notice {
  return { title: 'Validation Error', text, destructive: true }
}

/** The toasts that a redirect after a change of the profile or its picture may announce, by key. */
export const profileNotices = {
  'profile-saved': { title: 'Success', text: 'Profile updated successfully' },
  'picture-saved': { title: 'Success', text: 'Picture updated successfully' },
  'picture-removed': { title: 'Success', text: 'Picture removed' },
  'picture-missing': refusal('Choose a picture first'),
  'picture-type': refusal("This file isn't a JPEG, PNG, WebP or AVIF picture"),
  'picture-pixels': refusal(
    'This picture is too large. The limit is 12,000 pixels per side and 50 million in total',
  ),
  'picture-damaged': refusal('This picture is damaged or incomplete'),
  'picture-not-reduced': refusal(
    "We couldn't make this picture smaller. Choose a JPEG or PNG of at most 2 MB and 4 million pixels",
  ),
  'picture-not-saved': {
    title: 'Error',
    text: "We couldn't save the picture. Please try again",
    destructive: true,
  },
  'picture-limit': {
    title: 'Error',
    text: 'Too many pictures at once. Please wait a minute',
    destructive: true,
  },
} as const satisfies Record<string, Notice>

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
