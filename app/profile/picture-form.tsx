import { Form } from '@remix-run/react'

/** The forms to choose and to remove the member's picture. They work without script. */
export function PictureForm({ memberId, hasPicture }: { memberId: string; hasPicture: boolean }) {
  return (
    <div className="mt-8 grid max-w-xl gap-4 border-t border-line pt-6">
      <Form
        method="post"
        action="/dashboard/picture"
        encType="multipart/form-data"
        reloadDocument
        className="grid gap-4"
      >
        <input type="hidden" name="intent" value="save-picture" />
        <input type="hidden" name="member" value={memberId} />
        <div className="grid gap-1.5">
          <label htmlFor="picture" className="font-semibold">
            Picture
          </label>
          <input
            id="picture"
            name="picture"
            type="file"
            accept="image/jpeg,image/png,image/webp,image/avif"
            aria-describedby="picture-hint"
            className="field"
          />
          <p id="picture-hint" className="text-sm text-muted">
            JPEG, PNG, WebP or AVIF, up to 10 MB. We crop it to a square and remove where and when it was
            taken.
          </p>
        </div>
        <button type="submit" className="button justify-self-start">
          Save picture
        </button>
      </Form>
      {hasPicture && (
        <Form method="post" action="/dashboard/picture" encType="multipart/form-data" reloadDocument>
          <input type="hidden" name="intent" value="remove-picture" />
          <input type="hidden" name="member" value={memberId} />
          <button type="submit" className="button">
            Remove picture
          </button>
        </Form>
      )}
    </div>
  )
}
