-- Arrival: whether the recipient of a payment says that it arrived, in three strengths: `wallet` (signed by the wallet that
-- was paid), `mail` (a link mailed to an address that two operators entered before the payment) and `print` (a link that an
-- operator printed). They are never added up. Each answer is an entry of the log. It belongs to one row: a corrected payment,
-- and one that a reorganisation removed, asks again.

set check_function_bodies = off;

-- Tables ----------------------------------------------------------------------------------------------------

create table private.contacts (
  wallet private.address primary key,
  address text not null
    constraint contacts_address_format check (address ~ '^[!-?A-~]{1,64}@[!-?A-~]{1,189}$' and address = lower(address)),
  language text not null
    constraint contacts_language_known check (language ~ '^[a-z]{2}(-[A-Z]{2})?$'),
  is_person boolean not null,
  act uuid not null references public.operator_acts (id),
  since private.moment not null default now()
);
comment on table private.contacts is
  'The email address of who owns a wallet, entered by two operators (the act `contact`). Deleted when its owner wants no mail, when it does not work, and 13 months after it was used last.';
comment on column private.contacts.is_person is 'A private person, who is not asked for a name.';
create index contacts_of_address on private.contacts (address);

create table private.asks (
  id bigint generated always as identity primary key,
  transaction_id bigint not null references public.transactions (id),
  strength text not null
    constraint asks_strength_known check (strength in ('wallet', 'mail', 'print')),
  token text,
  token_hash text not null unique,
  never_hash text unique,
  contact private.address references private.contacts (wallet) on delete set null,
  address_hash text,
  "by" text references public.operators (handle),
  second text references public.operators (handle),
  made_at private.moment not null default now(),
  sent_at private.moment,
  expires_at private.moment not null default now() + interval '180 days',
  constraint asks_people_of_strength check (num_nonnulls("by", second) = case strength when 'wallet' then 0 when 'print' then 1 else 2 end)
);
comment on table private.asks is 'The links by which recipients answer. Of a wallet: the link that takes its words back.';
comment on column private.asks.token is 'Of a mail, until it was sent: a repeated attempt needs the same text. Otherwise only the hash is stored.';
comment on column private.asks.address_hash is
  'SHA-256 of the address to which a mail went, until the link ends: its owner can stop the questions after operators entered another address.';
comment on column private.asks.never_hash is 'The hash of the token of the link after which the address gets no such mail again.';
comment on column private.asks.by is 'Who printed the link, or entered the address with `second`.';
comment on column private.asks.sent_at is 'When the recipient was asked; null of a mail that was not sent, or that came back.';
comment on column private.asks.expires_at is '180 days after the first answer, or after it was made.';
create index asks_of_row on private.asks (transaction_id);
create index asks_of_contact on private.asks (contact) where contact is not null;

create table private.answers (
  id bigint generated always as identity primary key,
  ask_id bigint not null references private.asks (id),
  answer text not null
    constraint answers_answer_known check (answer in ('yes', 'but', 'no')),
  name_hash text unique references private.log_texts (hash),
  words_hash text unique references private.log_texts (hash),
  signed_at private.moment,
  signature text
    constraint answers_signature_format check (signature ~ '^0x[0-9a-f]{128}1[bc]$'),
  recorded_at private.moment not null default now(),
  constraint answers_signed_whole check ((signed_at is null) = (signature is null))
);
comment on table private.answers is
  'What recipients said; of one link at most two answers. The answer is public immediately, its name and words after the act `answer-words`.';
create index answers_of_ask on private.answers (ask_id, id);

create table private.never_asked (
  address_hash text primary key,
  since private.moment not null default now()
);
comment on table private.never_asked is 'SHA-256 of each address whose owner wants no question again. It has no end.';

-- Triggers --------------------------------------------------------------------------------------------------

call private.refuse('update or delete or truncate', 'private.answers');

create view private.entry_of_answer as
select
  'answer' as kind, answers.id, private.entry_time(answers.recorded_at) as recorded_at, private.rules() as rules,
  asks.id as ask, asks.strength, asks."by", asks.second, asks.transaction_id as "row", facts.chain_id::integer,
  facts.tx_hash::text, facts.ordinal, answers.answer, private.ballot_time(answers.signed_at) as "time",
  answers.signature, answers.name_hash, answers.words_hash
from private.answers
join private.asks on asks.id = answers.ask_id
join public.transactions as facts on facts.id = asks.transaction_id;
create trigger log_rows after insert on private.answers
  for each row execute function private.log_row('answer', 'id');

-- Whether a row is a payment whose recipient is asked: money that left our wallets for a cause, or for a goal.
create function private.has_recipient(facts public.transactions) returns boolean
language sql stable set search_path = '' as $$
  select facts.direction = 'out' and facts.counter_account is null and facts.type in ('spending', 'donation', 'dream')
$$;

-- Makes a link about a row. The caller keeps or sends its token.
create function private.make_ask(
  of_row bigint, strength text, token text, first text default null, second text default null, of_contact text default null
) returns bigint
language sql set search_path = '' as $$
  insert into private.asks (transaction_id, strength, token, token_hash, never_hash, contact, address_hash, "by", second, sent_at)
  values (
    of_row, make_ask.strength, case when of_contact is not null then make_ask.token end, private.hash_text(make_ask.token),
    case when of_contact is not null then private.hash_text(private.hash_text('never ' || make_ask.token)) end,
    of_contact, (select private.hash_text(address) from private.contacts where wallet = of_contact), first, make_ask.second,
    case when of_contact is null then now() end
  )
  returning id
$$;

-- A verified payment to a wallet whose owner's address was entered before it is asked about, once for each of its revisions, and
-- again if a reorganisation removed it. The mail waits an hour: the purpose of an order makes a revision just after the check.
create function private.ask_recipients() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  paid record;
begin
  for paid in
    select facts.id, contacts.wallet, acts."by", acts.second
    from changed
    join former using (transaction_id)
    join public.transactions as facts on facts.id = changed.transaction_id
    join private.contacts on contacts.wallet = facts.to_address and contacts.since < facts.occurred_at
    join public.operator_acts as acts on acts.id = contacts.act and acts.second is not null
    where changed.status = 'verified' and former.status <> 'verified' and private.has_recipient(facts)
      and facts.occurred_at > now() - interval '30 days'
      and not exists (
        select from private.asks as earlier
        where earlier.transaction_id = facts.id and earlier.strength = 'mail' and earlier.made_at > coalesce((
          select max(gone.checked_at) from public.transaction_checks as gone
          where gone.transaction_id = facts.id and gone.status = 'reorganised'
        ), '-infinity')
      )
  loop
    insert into private.mails (ask_id, due_at) values (
      private.make_ask(paid.id, 'mail', private.new_token(), paid."by", paid.second, paid.wallet), now() + interval '1 hour'
    );
  end loop;
  return null;
end;
$$;
create trigger ask_recipients after update on private.transaction_statuses
  referencing old table as former new table as changed
  for each statement execute function private.ask_recipients();

-- Whether an answer is still about its payment: no correction replaced its row, and no reorganisation removed it since.
create function private.is_current(of_row bigint, at timestamptz) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from private.transaction_statuses where transaction_id = of_row) and not exists (
    select from public.transaction_checks as gone
    where gone.transaction_id = of_row and gone.status = 'reorganised' and gone.checked_at > at
  )
$$;

-- Names and words that wait for an operator. Their texts are not published.
create view private.waiting_texts as
select answers.id, hash
from private.answers cross join lateral unnest(array[answers.name_hash, answers.words_hash]) as hash
where hash is not null and not exists (
  select from public.operator_acts as acts
  where acts.kind = 'answer-words' and acts.subject = answers.id::text and acts.number is not null
);

-- Why an operator did not publish the name and the words of an answer.
create view private.rejected_words as
select acts.subject::bigint as id, acts."by", reason.text as reason
from public.operator_acts as acts
left join private.log_texts as reason on reason.hash = acts.reason_hash
where acts.kind = 'answer-rejection' and acts.number is not null;

-- Each answer with its payment. Views call no function of ours: a reader has no right to execute one.
create view private.told as
select
  answers.*, asks.strength, asks."by", asks.second, facts.id as "row", facts.chain_id, facts.tx_hash, facts.ordinal,
  facts.to_address, facts.pool_slug,
  exists (select from private.transaction_statuses where transaction_id = facts.id) and not exists (
    select from public.transaction_checks as gone
    where gone.transaction_id = facts.id and gone.status = 'reorganised' and gone.checked_at > answers.recorded_at
  ) as is_current
from private.answers
join private.asks on asks.id = answers.ask_id
join public.transactions as facts on facts.id = asks.transaction_id;

-- The newest answer of each strength about each transfer.
create view private.standing_answers as
select distinct on (chain_id, tx_hash, ordinal, strength) * from private.told
order by chain_id, tx_hash, ordinal, strength, id desc;

-- The verified payments whose recipient was asked or answered, each once: `no` if the newest answer of a strength is no, also
-- to a row that was corrected since; then the strongest answer; then `asked`. `has_but`: no answer is no, and one is 'yes, but'.
create view private.arrivals as
select *, case
    when has_no then 'no' when 'wallet' = any (strengths) then 'wallet' when 'mail' = any (strengths) then 'mail'
    when 'print' = any (strengths) then 'print' when is_asked then 'asked'
  end as state
from (
  select
    facts.id, facts.chain_id, facts.tx_hash, facts.ordinal, facts.to_address, facts.pool_slug, facts.amount_usd,
    coalesce(said.has_no, false) as has_no, coalesce(said.has_but and not said.has_no, false) as has_but, said.strengths, exists (
      select from private.asks where asks.transaction_id = facts.id and asks.sent_at is not null and asks.strength <> 'wallet'
    ) as is_asked
  from (
    select distinct rows.chain_id, rows.tx_hash, rows.ordinal
    from private.asks join public.transactions as rows on rows.id = asks.transaction_id
  ) as transfers
  join public.transactions as facts
    on facts.chain_id = transfers.chain_id and facts.tx_hash = transfers.tx_hash and facts.ordinal = transfers.ordinal
  join private.transaction_statuses as statuses on statuses.transaction_id = facts.id and statuses.status = 'verified'
  left join lateral (
    select
      bool_or(standing.answer = 'no') as has_no,
      bool_or(standing.answer = 'but') filter (where standing.is_current) as has_but,
      array_agg(standing.strength) filter (where standing.is_current and standing.answer <> 'no') as strengths
    from private.standing_answers as standing
    where standing.chain_id = facts.chain_id and standing.tx_hash = facts.tx_hash and standing.ordinal = facts.ordinal
  ) as said on true
  where facts.direction = 'out' and facts.counter_account is null and facts.type in ('spending', 'donation', 'dream')
) as payments;

-- What recipients said since then about payments of a pool, the newest five: [{id, note, state}].
create function private.answers_since(pool text, since timestamptz) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(told)), '[]') from (
    select arrivals.id, private.text_of(facts.note_hash) as note, case when arrivals.has_but then 'but' else arrivals.state end as state
    from private.arrivals join public.transactions as facts on facts.id = arrivals.id
    where arrivals.pool_slug = answers_since.pool and arrivals.state <> 'asked' and exists (
      select from private.standing_answers as standing
      where (standing.chain_id, standing.tx_hash, standing.ordinal) = (arrivals.chain_id, arrivals.tx_hash, arrivals.ordinal)
        and standing.recorded_at > answers_since.since
    )
    order by arrivals.id desc limit 5
  ) as told
$$;

-- What recipients may call ----------------------------------------------------------------------------------

-- What the page of a link shows; {state: 'unknown'} for a link that does not exist. `ended`: it is too old. `corrected`: its
-- payment was corrected, or a reorganisation removed it.
create function private.show_ask(asked private.asks) returns jsonb
language sql stable set search_path = '' as $$
  select case when asked.id is null then jsonb_build_object('state', 'unknown') else jsonb_build_object(
    'state', case
      when asked.expires_at < now() then 'ended'
      when not private.is_current(facts.id, asked.made_at) then 'corrected'
      when said.many >= 2 then 'answered twice'
      else 'open'
    end,
    'strength', asked.strength, 'by', asked."by", 'second', asked.second, 'expires_at', asked.expires_at,
    'asks_name', asked.strength <> 'wallet' and not private.is_person(facts.to_address),
    'id', facts.id, 'occurred_at', facts.occurred_at, 'amount_usd', facts.amount_usd::text,
    'token_amount', facts.token_amount::text, 'token_symbol', facts.token_symbol, 'token_decimals', facts.token_decimals,
    'note', private.text_of(facts.note_hash), 'answers', said.list
  ) end
  from (select) as one
  left join public.transactions as facts on facts.id = asked.transaction_id
  cross join lateral (
    select count(*) as many, coalesce(jsonb_agg(jsonb_build_object(
      'answer', answers.answer, 'recorded_at', answers.recorded_at, 'name', private.text_of(answers.name_hash),
      'words', private.text_of(answers.words_hash),
      'waits', rejected.id is null and exists (
        select from private.waiting_texts as waiting where waiting.id = answers.id and private.text_of(waiting.hash) is not null
      ), 'rejected', case when rejected.id is not null then coalesce(rejected.reason, '') end
    ) order by answers.id), '[]') as list
    from private.answers left join private.rejected_words as rejected using (id)
    where answers.ask_id = asked.id and asked.expires_at >= now()
  ) as said
$$;

-- Whether the owner of a wallet is a private person: who asked for money by a goal, or whom operators entered as one.
create function private.is_person(wallet text) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from public.goals where goals.wallet = is_person.wallet)
    or exists (select from private.contacts where contacts.wallet = is_person.wallet and contacts.is_person)
$$;

create function private.ask_of(token text) returns private.asks
language sql stable set search_path = '' as $$
  select asks from private.asks where asks.token_hash = private.hash_text(ask_of.token)
$$;

create function public.read_ask(token text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.show_ask(private.ask_of(read_ask.token))
$$;

-- A text of a recipient, in one of two fields, or null.
create function private.check_answer_text(field text, words text, longest integer) returns text
language plpgsql set search_path = '' as $$
declare
  given constant text := nullif(btrim(words, E' \n'), '');
begin
  perform private.check_words(field, given, 0, longest, field = 'words');
  if given is not null and private.text_fault(given) is not null then
    perform private.refuse_field(field, private.text_fault(given));
  end if;
  return given;
end;
$$;

-- Stores an answer by a link. `seen`: how many answers the page of the form showed, so that of two presses the first counts:
-- the other gets {outcome: 'used'} with what was said. Returns {outcome, …} with what read_ask returns.
create function public.answer_ask(token text, answer text, name text, words text, seen integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked private.asks;
  given_name text;
  given_words text;
  many integer;
  outcome text := 'stored';
begin
  perform private.lock_log('ledger');
  asked := private.ask_of(answer_ask.token);
  many := (select count(*) from private.answers where ask_id = asked.id);
  if asked.id is null or asked.strength = 'wallet' or private.show_ask(asked) ->> 'state' <> 'open' then
    outcome := 'closed';
  elsif many is distinct from answer_ask.seen then
    outcome := 'used';
  else
    given_words := private.check_answer_text('words', answer_ask.words, 500);
    if (private.show_ask(asked) ->> 'asks_name')::boolean then
      given_name := private.check_answer_text('name', answer_ask.name, 100);
    end if;
    if answer_ask.answer is null or answer_ask.answer not in ('yes', 'but', 'no') then
      perform private.refuse_field('answer', 'missing');
    end if;
    insert into private.answers (ask_id, answer, name_hash, words_hash) values (
      asked.id, answer_ask.answer, private.keep_text('ledger', given_name), private.keep_text('ledger', given_words)
    );
    if many = 0 then
      update private.asks set expires_at = now() + interval '180 days', sent_at = coalesce(sent_at, now()) where id = asked.id;
    end if;
  end if;
  return private.show_ask(private.ask_of(answer_ask.token)) || jsonb_build_object('outcome', outcome);
end;
$$;

-- Removes name and words of all answers by a link. The answers stay.
create function public.withdraw_answer(token text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant private.asks := private.ask_of(withdraw_answer.token);
begin
  if asked.expires_at >= now() then
    perform public.withdraw_text(hash, 'The recipient took it back.')
    from private.answers cross join lateral unnest(array[answers.name_hash, answers.words_hash]) as hash
    where answers.ask_id = asked.id and hash is not null;
  end if;
  return private.show_ask(asked) || jsonb_build_object('outcome', case when asked.expires_at >= now() then 'withdrawn' else 'closed' end);
end;
$$;

-- Never asks the address again to which the mail with this token went. It is not the token of the answer, because mail programs
-- and services keep the header that has it. Returns stopped, or unknown.
create function public.never_ask(token text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  asked private.asks;
begin
  select * into asked from private.asks where never_hash = private.hash_text(never_ask.token);
  if asked.id is null then
    return 'unknown';
  end if;
  insert into private.never_asked (address_hash) select asked.address_hash where asked.address_hash is not null
  on conflict do nothing;
  delete from private.contacts as known where private.hash_text(known.address) = asked.address_hash;
  return 'stopped';
end;
$$;

-- Stores an answer that the receiving wallet signed. The site verified the signature, and signs this call as `follow`: the
-- verifier of the log verifies the signature again. `salt`: of the words, 64 hex digits. Returns {outcome, token}: the token of
-- the link that takes the words back.
create function public.answer_by_wallet(
  of_row bigint, answer text, words text, salt text, signed_at text, signature text, asked_at bigint, proof text
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  facts public.transactions;
  given constant text := private.check_answer_text('words', answer_by_wallet.words, 500);
  signed constant timestamptz := private.time_of('signature', answer_by_wallet.signed_at);
  hash constant text := encode(sha256(decode(answer_by_wallet.salt, 'hex') || convert_to(given, 'UTF8')), 'hex');
  secret constant text := private.new_token();
  asked private.asks;
begin
  if abs(extract(epoch from now()) - answer_by_wallet.asked_at) > 300 or not private.is_from_site(concat_ws(
    E'\n', of_row::text, answer_by_wallet.answer, answer_by_wallet.words, answer_by_wallet.salt, answer_by_wallet.signed_at,
    answer_by_wallet.signature, answer_by_wallet.asked_at::text
  ), answer_by_wallet.proof) then
    raise insufficient_privilege using message = 'the site has not signed this request';
  end if;
  perform private.lock_log('ledger');
  select rows.* into facts from public.transactions as rows
  join private.transaction_statuses as statuses on statuses.transaction_id = rows.id and statuses.status = 'verified'
  where rows.id = of_row and private.has_recipient(rows);
  if facts.id is null or exists (select from private.paying_wallets where address = facts.to_address)
    or exists (select from public.exchange_wallets where wallet = facts.to_address) then
    return jsonb_build_object('outcome', 'closed');
  end if;
  select * into asked from private.asks
  where transaction_id = facts.id and strength = 'wallet' and private.is_current(facts.id, made_at);
  if exists (
    select from private.answers where ask_id = asked.id and answers.signed_at >= signed
  ) or (select count(*) from private.answers where ask_id = asked.id) >= 2 or asked.expires_at < now() then
    return jsonb_build_object('outcome', 'used');
  elsif signed < facts.occurred_at or signed not between now() - interval '1 day' and now() + interval '2 minutes' then
    perform private.refuse_field('signature', 'time');
  end if;
  if asked.id is null then
    perform private.make_ask(facts.id, 'wallet', secret);
    asked := private.ask_of(secret);
  else
    update private.asks set token_hash = private.hash_text(secret) where id = asked.id;
  end if;
  if given is not null then
    insert into private.log_texts (log, hash, salt, text) values ('ledger', hash, decode(answer_by_wallet.salt, 'hex'), given);
  end if;
  insert into private.answers (ask_id, answer, words_hash, signed_at, signature)
  values (asked.id, answer_by_wallet.answer, case when given is not null then hash end, signed, answer_by_wallet.signature);
  return jsonb_build_object('outcome', 'stored', 'token', secret);
end;
$$;

-- The wallets of whose owner operators entered the confirmed address of the calling member, for the file of the member's data:
-- [{wallet, language, is_person, since}].
create function public.member_contacts() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'wallet', wallet, 'language', language, 'is_person', is_person, 'since', since
  ) order by since, wallet), '[]')
  from private.contacts where address = private.member_address()
$$;

-- What operators may call -----------------------------------------------------------------------------------

-- The address of who owns a wallet. An empty one removes it. It counts for payments after it. The owner of an account at an
-- exchange is not asked for a name.
create function private.perform_contact(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  given constant jsonb := act.arguments;
  given_wallet constant text := given ->> 'to';
  given_address constant text := lower(given ->> 'email');
  said jsonb := jsonb_build_object();
begin
  if act."by" is null then
    perform private.refuse_act('operators_only');
  end if;
  perform private.check_words('to', given_wallet, 1, 42);
  perform private.check_pattern('to', given_wallet, '^0x[0-9a-f]{40}$');
  if given ->> 'who' = 'exchange' then
    said := jsonb_build_object('reason_hash', private.keep_text('ledger', concat_ws(
      -- The first line is that of public.exchange_wallets.
      E'\n', 'The wallet of an exchange, which signs no answer.', act.reason
    )));
  end if;
  if exists (select from private.paying_wallets where paying_wallets.address = given_wallet) then
    perform private.refuse_field('to', 'wallet_names_of_others');
  end if;
  delete from private.contacts where wallet = given_wallet;
  if coalesce(given_address, '') = '' then
    return jsonb_build_object('subject', given_wallet) || said;
  end if;
  perform private.check_pattern('email', given_address, '^[!-?A-~]{1,64}@[!-?A-~]{1,189}$');
  perform private.check_words('language', given ->> 'language', 1, 5);
  perform private.check_pattern('language', given ->> 'language', '^[a-z]{2}(-[A-Z]{2})?$');
  perform private.check_words('who', given ->> 'who', 1, 20);
  perform private.check_pattern('who', given ->> 'who', '^(organisation|person|exchange)$');
  if exists (select from private.never_asked where address_hash = private.hash_text(given_address)) then
    perform private.refuse_field('email', 'never');
  elsif exists (
    select from public.operators join auth.users on users.id = operators.member
    where private.inbox_of(users.email) = private.inbox_of(given_address)
  ) then
    perform private.refuse_field('email', 'own');
  end if;
  insert into private.contacts (wallet, address, language, is_person, act)
  values (given_wallet, given_address, given ->> 'language', given ->> 'who' <> 'organisation', act.id);
  return jsonb_build_object('subject', given_wallet) || said;
end;
$$;

create function private.perform_arrival_print(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if act."by" is null then
    perform private.refuse_act('operators_only');
  elsif not private.has_recipient(private.payment_of(act.subject)) or not exists (
    select from private.transaction_statuses
    where transaction_id = (private.payment_of(act.subject)).id and status = 'verified'
  ) then
    perform private.refuse_act('not_found');
  end if;
  return jsonb_build_object('subject', act.subject);
end;
$$;

-- Makes a link about a payment, which the calling operator prints. Returns its token, which is shown only now.
create function public.print_ask(subject text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.begin_act(true);
  secret constant text := private.new_token();
  act constant public.operator_acts := jsonb_populate_record(null::public.operator_acts, jsonb_build_object(
    'id', gen_random_uuid(), 'kind', 'arrival-print', 'subject', subject, 'arguments', '{}'::jsonb, 'by', caller,
    'version', private.payment_revision(subject), 'created_at', now(), 'saved_at', now()
  ));
begin
  perform private.finish_act(act, private.perform(act), null);
  perform private.make_ask((private.payment_of(subject)).id, 'print', secret, caller);
  return jsonb_build_object('token', secret, 'by', caller);
end;
$$;

-- An answer whose name or words wait.
create function private.answer_revision(number text) returns integer
language sql stable set search_path = '' as $$
  select 0 from private.waiting_texts as waiting
  where waiting.id::text = number and private.text_of(waiting.hash) is not null
    and not exists (select from private.rejected_words as rejected where rejected.id = waiting.id)
  limit 1
$$;

create function private.perform_answer_words(act public.operator_acts) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('subject', act.subject)
$$;

insert into private.act_kinds (kind, people, subject, least_reason, performer, revision_of, fields) values
  ('contact', 2, 'none', 0, 'perform_contact', null, '{to,email,language,who}'),
  ('arrival-print', 1, 'required', 0, 'perform_arrival_print', 'payment_revision', '{}'),
  ('answer-words', 1, 'required', 0, 'perform_answer_words', 'answer_revision', '{}'),
  ('answer-rejection', 1, 'required', 10, 'perform_answer_words', 'answer_revision', '{}');

-- The names and words that wait for an operator, the oldest first; null for others.
create function public.waiting_answers() returns jsonb
language sql stable security definer set search_path = '' as $$
  select case when private.is_operator() then coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', answers.id, 'row', asks.transaction_id, 'answer', answers.answer, 'recorded_at', answers.recorded_at,
      'name', private.text_of(answers.name_hash), 'words', private.text_of(answers.words_hash)
    ) order by answers.id)
    from private.answers join private.asks on asks.id = answers.ask_id
    where private.answer_revision(answers.id::text) is not null
  ), '[]') end
$$;

-- What everyone reads ---------------------------------------------------------------------------------------

create view public.exchange_wallets with (security_invoker = false) as
select newest.number as id, newest.wallet, newest."by", newest.second
from (
  select distinct on (subject) number, subject as wallet, "by", second, reason_hash
  from public.operator_acts where kind = 'contact' and number is not null order by subject, number desc
) as newest
join private.log_texts as said on said.hash = newest.reason_hash
where split_part(said.text, E'\n', 1) = 'The wallet of an exchange, which signs no answer.';
comment on view public.exchange_wallets is
  'Wallets of recipients that belong to an exchange, as two operators say: their owner cannot sign with them.';

create view public.published_answers with (security_invoker = false) as
select
  told.id, told.chain_id, told.tx_hash, told.ordinal, told."row" as transaction_id, told.pool_slug, told.strength, told."by",
  told.second, told.answer, told.recorded_at, told.is_current, told.to_address,
  case when not said.waits then name.text end as name, case when not said.waits then words.text end as words,
  said.waits and rejected.id is null and coalesce(name.text, words.text) is not null as words_wait,
  rejected."by" as rejected_by, rejected.reason as rejected_because,
  coalesce(told.name_hash, told.words_hash) is not null and coalesce(name.text, words.text) is null as words_withdrawn,
  entries.index as log_index, told.answer = 'no' and exists (
    select from private.standing_answers as standing where standing.id = told.id
  ) as is_standing_no, coalesce((
    select jsonb_agg(jsonb_build_object('by', notes.by, 'text', reason.text, 'said_at', notes.final_at) order by notes.number)
    from public.operator_acts as notes
    left join private.log_texts as reason on reason.hash = notes.reason_hash
    where notes.kind = 'mistake-note' and notes.subject = 'arrival/' || told.id and notes.number is not null
  ), '[]') as notes
from private.told
left join private.log_texts as name on name.hash = told.name_hash
left join private.log_texts as words on words.hash = told.words_hash
left join private.ledger_entries as entries on entries.kind = 'answer' and entries.row_id = told.id
left join private.rejected_words as rejected on rejected.id = told.id
cross join lateral (select exists (select from private.waiting_texts as waiting where waiting.id = told.id) as waits) as said;
comment on view public.published_answers is 'What recipients said about payments, in three strengths.';
comment on column public.published_answers.is_current is 'False after a correction of the payment, or a reorganisation: the recipient is asked again.';
comment on column public.published_answers.words_wait is 'Name or words were given, and no operator has read them yet.';
comment on column public.published_answers.rejected_by is 'Who did not publish name and words, with the reason in `rejected_because`.';
comment on column public.published_answers.is_standing_no is 'A no after which the same strength said nothing else.';

create view public.published_arrivals with (security_invoker = false) as
select id, pool_slug, to_address, case when has_but then 'but' else state end as state from private.arrivals where state is not null;
comment on view public.published_arrivals is
  'The verified payments whose recipient was asked: `no`, `but`, or the strongest yes (`wallet`, `mail`, `print`), or `asked`.';

-- The figures by strength, never added up, in dollars of the payments that have a value. Not asked is what the ledger sums of
-- these payments, less the others.
create view public.arrival_totals with (security_invoker = false) as
select
  said.wallet_usd, said.mail_usd, said.print_usd, said.no_usd, said.asked_usd,
  (paid.usd - said.usd)::numeric(20, 2) as not_asked_usd, said.answered_count::bigint, said.no_count::bigint, said.asked_count::bigint,
  (paid.row_count - said.row_count)::bigint as not_asked_count, paid.unvalued_count::bigint as unvalued_count
from (
  select
    coalesce(sum(amount_usd) filter (where state = 'wallet'), 0)::numeric(20, 2) as wallet_usd,
    coalesce(sum(amount_usd) filter (where state = 'mail'), 0)::numeric(20, 2) as mail_usd,
    coalesce(sum(amount_usd) filter (where state = 'print'), 0)::numeric(20, 2) as print_usd,
    coalesce(sum(amount_usd) filter (where state = 'no'), 0)::numeric(20, 2) as no_usd,
    coalesce(sum(amount_usd) filter (where state = 'asked'), 0)::numeric(20, 2) as asked_usd,
    coalesce(sum(amount_usd), 0) as usd, count(*) as row_count, count(*) filter (where state <> 'asked') as answered_count,
    count(*) filter (where state = 'no') as no_count, count(*) filter (where state = 'asked') as asked_count
  from private.arrivals where state is not null
) as said, (
  select
    coalesce(sum(usd), 0) as usd, coalesce(sum(row_count), 0) as row_count, coalesce(sum(row_count - valued_count), 0) as unvalued_count
  from private.sums
  where unit = 'month' and status = 'verified' and direction = 'out' and counter_account is null
    and type in ('spending', 'donation', 'dream')
) as paid;
comment on view public.arrival_totals is 'What recipients say about the payments that left our wallets for causes and goals, by strength.';

-- Grants ----------------------------------------------------------------------------------------------------

grant select on public.exchange_wallets, public.published_answers, public.published_arrivals, public.arrival_totals to anon, authenticated, service_role;
grant execute on function public.read_ask, public.answer_ask, public.withdraw_answer, public.never_ask, public.answer_by_wallet
  to anon, authenticated, service_role;
grant execute on function public.print_ask, public.waiting_answers, public.member_contacts to authenticated;

reset check_function_bodies;
