import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  redirect,
  data as respond,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { ControlLine, KeyLimits } from '~/custody/control-words'
import { readWalletControls } from '~/custody/controls.server'
import { keepKeyProof, textOfToday } from '~/custody/key-proof.server'
import { signingPath } from '~/custody/paths'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { ListUnavailable } from '~/ledger/unavailable'
import { listWallets } from '~/ledger/wallets'
import { FormErrorPage } from '~/members/auth/send-again'
import { SigningScript, TextToSign, WalletButtons } from '~/platform/enhance/text-signing-parts'
import { readForm } from '~/platform/forms/form.server'
import { setNotice } from '~/platform/forms/notice.server'
import { refuse, tooManyRequests } from '~/platform/forms/refusal.server'
import { key } from '~/platform/locales/key'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { hiddenMeta } from '~/platform/rendering/seo'
import { PageHeader } from '~/platform/ui/page-header'
import { Section, Sheet } from '~/platform/ui/section'
import { AddressField } from '~/wallet/signing-fields'

export const meta = hiddenMeta(msg`Show a key`)

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const wallets = listWallets(context.config)
  const typed = { wallet: searchParams.get('wallet'), address: searchParams.get('address')?.trim() ?? null }
  const wallet = wallets.find(({ slug }) => slug === typed.wallet)
  const controls = await readWalletControls(context.publicData(), context.config)
  const isWrong = typed.address !== null && !isAddress(typed.address)
  const text = await textFor(context, wallet?.address, typed.address)
  return respond(
    {
      wallets: wallets.map(({ slug, name, address }) => ({
        ...{ slug, name },
        control: controls?.[address.toLowerCase()],
      })),
      isRead: controls !== null,
      wallet: wallet?.slug ?? null,
      address: typed.address,
      text,
      isWrong,
      isUnread: Boolean(wallet && typed.address && !isWrong && !text),
    },
    isWrong ? 400 : 200,
  )
}

const isAddress = (typed: string | null) => /^0x[0-9a-fA-F]{40}$/.test(typed ?? '')

/** The text that the key at `address` may sign today for a wallet; null without one, or if the log cannot be read. */
async function textFor(context: AppLoadContext, wallet: string | undefined, address: string | null) {
  if (!wallet || !address || !isAddress(address)) return null
  return textOfToday(context, { wallet: wallet.toLowerCase(), signer: address.toLowerCase() })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const of = (name: string) => String(form.get(name) ?? '').trim()
  // Form encoding turns line endings into CRLF; the key signed the text with LF.
  const typed = { text: of('text').replaceAll('\r\n', '\n'), signature: of('signature') }
  const fields = { wallet: of('wallet'), address: of('address') }
  const address = listWallets(context.config).find(({ slug }) => slug === fields.wallet)?.address
  const answer = (message: string, status: number, text = typed.text) =>
    refuse(
      context,
      { payload: text === typed.text ? { signature: typed.signature } : {} },
      { message, status, field: 'signature' },
      { ...fields, text },
    )
  const { i18n } = context.language
  if (await context.limit('custody')) return answer(i18n._(tooManyRequests), 429)
  const refusal = await keepKeyProof(context, address?.toLowerCase() ?? '', typed)
  if (refusal) {
    const text = refusal.isOther ? await textFor(context, address, fields.address) : null
    return answer(i18n._(refusal.sentence), refusal.status, text ?? typed.text)
  }
  setNotice(context.cookies, 'key-shown')
  throw redirect(`${signingPath}?${new URLSearchParams({ wallet: fields.wallet })}`, 303)
}

export default function ShowKey() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const loaded = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const { wallets, isRead } = loaded
  const { wallet, address, text } = refused ?? loaded
  return (
    <>
      <TransparencyNavigation current="/transparency/wallets" />
      <PageHeader
        title={t`Show a key`}
        tagline={t`Each holder of a key of our wallets shows it here every 30 days, by a signature.`}
      />
      <Section id="show" heading="show-title" title={t`Sign the text of today`} className="">
        <p className="mt-3 max-w-[65ch] text-muted">
          <KeyLimits />
        </p>
        {!isRead && <ListUnavailable />}
        {wallets.length === 0 ? (
          <p className="panel mt-6 max-w-[65ch]">
            <Trans>No wallet is published yet, so there is no key to show.</Trans>
          </p>
        ) : (
          <div className="max-w-[48rem]">
            <Sheet heading="choose-title" title={t`1. Choose`} className="mt-6">
              <form method="get" action={signingPath} noValidate className="mt-3 grid gap-4">
                <fieldset className="grid gap-2">
                  <legend className="sr-only">
                    <Trans>Wallet</Trans>
                  </legend>
                  {wallets.map(({ slug, name, control }) => (
                    <label key={slug} className="flex items-baseline gap-2.5">
                      <input type="radio" name="wallet" value={slug} defaultChecked={slug === wallet} />
                      <span>
                        <strong className="block">{i18n._(key(name))}</strong>{' '}
                        {isRead && <ControlLine control={control} />}
                      </span>
                    </label>
                  ))}
                </fieldset>
                <WalletButtons />
                <AddressField address={address} isWrong={loaded.isWrong} />
                <p>
                  <button type="submit" className={text ? 'button' : 'button button-ink'}>
                    <Trans>Show the text</Trans>
                  </button>
                </p>
              </form>
            </Sheet>
            {loaded.isUnread && !refused && (
              <p className="notice" role="alert">
                <Trans>We can't read the log right now, so there is no text to sign.</Trans>
              </p>
            )}
            {text && (
              <Sheet heading="sign-title" title={t`2. Sign the text`} className="mt-6">
                <form
                  method="post"
                  action={signingPath}
                  noValidate
                  data-signed=""
                  className="mt-3 grid gap-4"
                >
                  <input type="hidden" name="wallet" value={wallet ?? ''} />
                  <input type="hidden" name="address" value={address ?? ''} />
                  <TextToSign text={text} refused={refused} />
                  <p>
                    <button type="submit" className="button button-ink">
                      <Trans>Show the key</Trans>
                    </button>
                  </p>
                </form>
              </Sheet>
            )}
          </div>
        )}
        <p className="mt-6">
          <PageLink to="/transparency/wallets" className="link inline-block py-1">
            <Trans>Our wallets</Trans>
          </PageLink>
        </p>
      </Section>
      <SigningScript />
    </>
  )
}

export const ErrorBoundary = FormErrorPage
