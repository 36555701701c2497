import {
  type ActionFunctionArgs,
  type AppLoadContext,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { requireViewer } from '~/members/auth/viewer.server'
import { reduce } from '~/members/pictures/reduce.server'
import { removePictures, storePicture } from '~/members/pictures/storage.server'
import { readPictureName, savePictureName } from '~/members/profile/profile.server'
import { announcePicture } from '~/members/profile/profile-notices.server'
import { unverifiedPage } from '~/platform/edge/error-page.server'
import type { PageHandle } from '~/platform/rendering/handle'
import { unlessOutage } from '~/platform/server/outage.server'

export const handle: PageHandle = { picture: { otherFields: 4096 } }

const editAddress = '/dashboard?edit=profile'

export function loader() {
  throw redirect(editAddress, 303)
}

/**
 * Stores, replaces or removes the member's picture. Redirects with a toast to the profile, or to the form if
 * the picture is refused. There is no toast if the form is unreadable or belongs to another member.
 */
export function action({ request, context }: ActionFunctionArgs) {
  return unlessOutage(
    () => savePicture(request, context),
    () => unverifiedPage(context),
  )
}

async function savePicture(request: Request, context: AppLoadContext): Promise<Response> {
  const viewer = await requireViewer(context, editAddress)
  const { cookies, env, log } = context
  const end = (outcome: Parameters<typeof announcePicture>[1], page = editAddress) => {
    announcePicture(cookies, outcome)
    return redirectDocument(page, 303)
  }
  if (await context.limit('picture', viewer.id)) return end('picture-limit')
  const form = await request.formData().catch(() => null)
  // The form is unreadable, or another member has signed in since the form was opened.
  if (form?.get('member') !== viewer.id) return redirectDocument(editAddress, 303)
  const accessToken = (await context.session()).stored?.access_token ?? ''
  const data = context.data()
  const former = await readPictureName(data, viewer.id)

  let name: string | null = null
  if (form.get('intent') !== 'remove-picture') {
    const file = form.get('picture')
    // A browser sends an empty file if the member chose no file.
    if (!(file instanceof File) || file.size === 0) return end('picture-missing')
    const picture = await reduce(new Uint8Array(await file.arrayBuffer()), 'square', env.IMAGES, (error) =>
      log.warn('picture.binding-failed', { message: error.message }),
    )
    if (typeof picture === 'string') return end(picture)
    // Store the picture first: a profile must not name a picture that is not stored.
    name = await storePicture(context, { bucket: 'avatars', folder: viewer.id, accessToken }, picture)
    if (!name) return end('picture-not-saved')
  }
  if (!(await savePictureName(data, viewer.id, name))) return end('picture-not-saved')
  if (former && former !== name) await removePictures(context, 'avatars', accessToken, [former])
  return end(name ? 'picture-saved' : 'picture-removed', '/dashboard')
}
