import { Trans, useLingui } from '@lingui/react/macro'
import { Form } from '@remix-run/react'
import { type ReactNode, useRef, useState } from 'react'
import { Control } from '~/platform/forms/control'

/** The side of the preview in CSS pixels. The side of the canvas has twice as many pixels. */
const previewSide = 96

/** The forms that choose and remove the picture, without JavaScript. `children`: the current picture. */
export function PictureForm({
  memberId,
  hasPicture,
  children,
}: {
  memberId: string
  hasPicture: boolean
  children: ReactNode
}) {
  const { t } = useLingui()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [hasPreview, setPreview] = useState(false)
  const preview = async (file: File | undefined) =>
    setPreview(Boolean(file && canvas.current && (await drawSquare(file, canvas.current))))
  return (
    <div className="mt-8 grid max-w-xl gap-4 border-t border-hairline pt-6">
      {children}
      <Form
        method="post"
        action="/dashboard/picture"
        encType="multipart/form-data"
        reloadDocument
        className="grid gap-4"
      >
        <input type="hidden" name="intent" value="save-picture" />
        <input type="hidden" name="member" value={memberId} />
        <Control
          name="picture"
          label={t`Picture`}
          hint={t`JPEG, PNG, WebP or AVIF, up to 10 MB. We crop it to a square and remove where and when it was taken.`}
        >
          {({ defaultValue: _, ...attributes }) => (
            <input
              {...attributes}
              type="file"
              accept="image/jpeg,image/png,image/webp,image/avif"
              className="field"
              onChange={({ target }) => preview(target.files?.[0])}
            />
          )}
        </Control>
        <canvas
          ref={canvas}
          width={2 * previewSide}
          height={2 * previewSide}
          hidden={!hasPreview}
          role="img"
          aria-label={t`Preview of the chosen picture`}
          className="size-24 rounded-block"
        />
        <button type="submit" className="button justify-self-start">
          <Trans>Save picture</Trans>
        </button>
      </Form>
      {hasPicture && (
        <Form method="post" action="/dashboard/picture" encType="multipart/form-data" reloadDocument>
          <input type="hidden" name="intent" value="remove-picture" />
          <input type="hidden" name="member" value={memberId} />
          <button type="submit" className="button button-bad">
            <Trans>Remove picture</Trans>
          </button>
        </Form>
      )}
    </div>
  )
}

/**
 * Draws the centre of a picture as the server will crop it. Draws on a canvas, because the content security
 * policy forbids `blob:` URLs. Returns false for a file that the browser cannot read: the server reports the
 * fault.
 */
async function drawSquare(file: File, canvas: HTMLCanvasElement): Promise<boolean> {
  const picture = await createImageBitmap(file).catch(() => null)
  const context = canvas.getContext('2d')
  if (!picture || !context) return false
  const side = Math.min(picture.width, picture.height)
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2]
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height)
  picture.close()
  return true
}
