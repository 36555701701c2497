import { Trans, useLingui } from '@lingui/react/macro'
import { Control } from '~/forms/control'

/**
 * The fields of a picture and its description. A stored picture remains until the member replaces or removes
 * it.
 */
export function PictureFields({
  picture,
  text,
  messageOf,
  noteOf,
}: {
  picture: { path: string; text: string } | null
  /** The entered description. */
  text: string
  messageOf: (field: string) => string | undefined
  noteOf?: (field: string) => string | undefined
}) {
  const { t } = useLingui()
  return (
    <fieldset className="grid gap-5 rounded-block border border-hairline p-5">
      <legend className="px-1 font-semibold">
        <Trans>Picture</Trans>{' '}
        <span className="font-normal text-muted">
          <Trans>(optional)</Trans>
        </span>
      </legend>
      {picture && (
        <div className="grid justify-items-start gap-2">
          <img
            src={picture.path}
            alt={picture.text || t`The stored picture`}
            className="h-auto max-h-64 w-auto max-w-full rounded-block"
          />
          <label className="flex min-h-11 items-center gap-2">
            <input type="checkbox" name="picture_remove" value="yes" className="size-5" />
            <Trans>Remove this picture</Trans>
          </label>
        </div>
      )}
      <Control
        name="picture"
        label={picture ? t`Another picture instead` : t`File`}
        hint={t`JPEG, PNG, WebP or AVIF, up to 10 MB. We remove its metadata, such as the place.`}
        error={messageOf('picture')}
        note={noteOf?.('picture')}
      >
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept="image/jpeg,image/png,image/webp,image/avif"
            className="field"
          />
        )}
      </Control>
      <Control
        name="picture_text"
        label={t`What the picture shows`}
        hint={t`Describe the picture for people who cannot see it. Required if you add a picture.`}
        error={messageOf('picture_text')}
        note={noteOf?.('picture_text')}
      >
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            className="field"
            autoComplete="off"
            dir="auto"
            defaultValue={text}
          />
        )}
      </Control>
    </fieldset>
  )
}
