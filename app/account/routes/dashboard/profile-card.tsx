import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { Profile } from '~/members/profile/profile.server'
import { firstCharacters } from '~/platform/first-characters'
import { Icon } from '~/platform/ui/icon'
import { Sheet } from '~/platform/ui/section'
import { WordsOfMember } from '~/platform/ui/words'

/** The profile. If the profile could not be loaded, shows only the email address of the session (spec §8). */
export function ProfileView({
  email,
  profile,
  editAddress,
}: {
  email: string
  profile: Profile | null
  editAddress: string
}) {
  const { t } = useLingui()
  return (
    <ProfileCard
      action={
        profile && (
          <Link to={editAddress} className="button">
            <Trans>Edit Profile</Trans>
          </Link>
        )
      }
    >
      <div className="mt-6 flex flex-col gap-6 sm:flex-row sm:items-start">
        <Avatar
          url={profile?.avatarUrl ?? null}
          name={profile?.username || email || profile?.provenWallet || ''}
        />
        <dl className="grid min-w-0 flex-1 gap-5 sm:grid-cols-2">
          <Fact term={t`Email`}>{email || t`Not set`}</Fact>
          {profile && (
            <Fact term={t`Username`}>
              {profile.username ? <WordsOfMember>{profile.username}</WordsOfMember> : t`Not set`}
            </Fact>
          )}
          {profile && <WalletFacts typed={profile.walletAddress} proven={profile.provenWallet} />}
        </dl>
      </div>
    </ProfileCard>
  )
}

/** Shows the profile's wallet address and the proven wallet: both if they differ, otherwise one address. */
function WalletFacts({ typed, proven }: { typed: string; proven: string | null }) {
  const { t } = useLingui()
  const same = proven !== null && (!typed || typed.toLowerCase() === proven.toLowerCase())
  return (
    <>
      <Fact term={t`Wallet Address`} wide>
        {typed || same ? <Address value={same ? proven : typed} proven={same} /> : t`Not set`}
      </Fact>
      {proven && !same && (
        <Fact term={t`Signs in with`} wide>
          <Address value={proven} proven />
        </Fact>
      )}
    </>
  )
}

function Address({ value, proven }: { value: string; proven: boolean }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <code className="hash wrap-anywhere">{value}</code>
      {proven && (
        <span className="badge bg-good-wash text-good">
          <Icon name="check" size={16} />
          <Trans comment="A badge beside the address of a wallet">Proven to be yours</Trans>
        </span>
      )}
    </span>
  )
}

/** The card that frames the profile or its form. */
export function ProfileCard({ action = null, children }: { action?: ReactNode; children: ReactNode }) {
  const { t } = useLingui()
  return (
    <Sheet heading="profile-title" title={t`Profile`} action={action}>
      {children}
    </Sheet>
  )
}

function Fact({ term, wide, children }: { term: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={`min-w-0 ${wide ? 'sm:col-span-2' : ''}`}>
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

/** The member's picture, or the first letters of the name. */
export function Avatar({ url, name }: { url: string | null; name: string }) {
  if (url)
    return <img src={url} alt="" width="80" height="80" className="size-20 rounded-block object-cover" />
  const initials = firstCharacters(name.trim(), 2).toUpperCase()
  return (
    <span
      aria-hidden="true"
      className="grid size-20 shrink-0 place-items-center rounded-block bg-ink font-display text-2xl font-bold text-paper"
    >
      {initials}
    </span>
  )
}
