import { Trans, useLingui } from '@lingui/react/macro'
import type { ImgHTMLAttributes, ReactNode } from 'react'
import { Control, Optional, Tick } from '../../platform/forms/control'
import { Field } from '../../platform/forms/field'
import type { FieldState } from '../../platform/forms/refusal'

/**
 * The fields of a picture and its description, with these names. A stored picture remains until the author of
 * the form replaces or removes it. `children`: hidden fields about the stored picture. `facts`: fields about what
 * is on the picture.
 */
export function PictureFields({
  picture,
  description,
  field,
  facts,
  children,
}: {
  /** The stored picture, with its description as `alt`. */
  picture: ImgHTMLAttributes<HTMLImageElement> | null
  description: string
  field: (name: string) => FieldState & { note?: string | undefined }
  facts?: ReactNode
  children?: ReactNode
}) {
  const { t } = useLingui()
  return (
    <fieldset className="grid gap-5 rounded-block border border-hairline p-5">
      <legend className="px-1 font-semibold">
        <Trans>Picture</Trans>
        <Optional />
      </legend>
      {picture && (
        <div className="grid justify-items-start gap-2">
          <img
            {...picture}
            alt={picture.alt || t`The stored picture`}
            className="h-auto max-h-64 w-auto max-w-full rounded-block"
          />
          {children}
          <Tick name="picture_remove">
            <Trans>Remove this picture</Trans>
          </Tick>
        </div>
      )}
      <Control
        {...field('picture')}
        label={picture ? t`Another picture instead` : t`File`}
        hint={t`JPEG, PNG, WebP or AVIF, up to 10 MB. We remove its metadata, such as the place.`}
      >
        {({ defaultValue: _, ...attributes }) => (
          <input
            {...attributes}
            type="file"
            accept="image/jpeg,image/png,image/webp,image/avif"
            className="field"
          />
        )}
      </Control>
      <Field
        {...field(description)}
        label={t`What the picture shows`}
        hint={t`Describe the picture for people who cannot see it. Required if you add a picture.`}
        autoComplete="off"
        dir="auto"
      />
      {facts}
    </fieldset>
  )
}
