// Written by supabase/embedded/types.ts from the migrations. Do not edit.

/** The version of the newest migration. */
export const schemaVersion = '20260101000900'

type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

type View<Row> = { Row: Row; Relationships: [] }

/** `Optional`: columns that may be left out of a new row. `Generated`: columns that nothing may write. */
type Table<Row, Optional extends keyof Row, Generated extends keyof Row> = {
  Row: Row
  Insert: Omit<Row, Optional | Generated> & Partial<Pick<Row, Optional>> & { [_ in Generated]?: never }
  Update: Partial<Omit<Row, Generated>> & { [_ in Generated]?: never }
  Relationships: []
}

type Call<Args, Returns> = { Args: Args; Returns: Returns }

export type Database = {
  public: {
    Tables: {
      allocations: Table<{
        chain_id: number; id: number; month: string; recorded_at: string; split: number; standing: number
        tax_usd: number
      }, 'recorded_at', 'id'>
      custody_signatures: Table<{
        chain_id: number; entry_index: number; entry_leaf: string; id: number; recorded_at: string
        signature: string; signed_on: string; signer: string; site: string; wallet: string
      }, 'recorded_at', 'id'>
      cz_calls: Table<{
        action_hash: string; author: string; captured_at: string | null; chain_id: number | null
        confirmed_by_hash: string | null; id: number; posted_at: string; recorded_at: string
        revision: number; text_hash: string; tweet_url: string; tx_hash: string | null; verified: boolean
      }, 'captured_at' | 'chain_id' | 'confirmed_by_hash' | 'recorded_at' | 'revision' | 'tx_hash' | 'verified', 'id'>
      fundme_ballots: Table<{
        arrived_at: string; choice: string; id: number; member: string; reason: string | null
        refused_at: string | null; signature: string; signed_at: string; tried_at: string | null
        vote: number; wallet: string
      }, 'arrived_at' | 'reason' | 'refused_at' | 'tried_at', 'id'>
      fundme_pools: Table<{
        created_at: string; current_amount: number; description: string; goal_amount: number | null
        id: string; status: string; title: string; user_id: string
      }, 'created_at' | 'current_amount' | 'description' | 'goal_amount' | 'id' | 'status', never>
      goal_changes: Table<{
        byline_hash: string; category_hash: string; changed_by: string; ends_at: string; frozen: boolean
        hidden: boolean; id: number; links_hash: string | null; opened_at: string; picture: string | null
        picture_text_hash: string | null; plan_hash: string; reason_hash: string | null
        recorded_at: string; revision: number; slug: string; stage: string; story_hash: string
        target_usd: number; title_hash: string; wallet: string
      }, 'links_hash' | 'picture' | 'picture_text_hash' | 'reason_hash' | 'recorded_at', 'id'>
      goal_complaints: Table<{
        closed_at: string | null; goal: string; id: number; made_at: string; member: string
        outcome: string | null; reason: string; text: string
      }, 'closed_at' | 'made_at' | 'outcome', 'id'>
      goals: Table<{
        byline: string; byline_hash: string | null; category: string; category_hash: string | null
        completed_at: string | null; created_at: string; days: number | null; ended_at: string | null
        ended_by: string | null; ends_at: string | null; fault: string | null; frozen: boolean
        hidden: boolean; id: string; links: string; links_hash: string | null; member: string | null
        opened_at: string | null; picture_path: string | null; picture_text: string
        picture_text_hash: string | null; plan: Json; plan_hash: string | null; reason: string | null
        reason_salt: string | null; report_number: number | null; revision: number; saved_at: string
        slug: string | null; stage: string; status: string | null; story: string; story_hash: string | null
        submitted_at: string | null; target_usd: number | null; title: string; title_hash: string | null
        unread_from: number | null; version: number; wallet: string | null
      }, 'byline' | 'byline_hash' | 'category' | 'category_hash' | 'completed_at' | 'created_at' | 'days' | 'ended_at' | 'ended_by' | 'ends_at' | 'fault' | 'frozen' | 'hidden' | 'id' | 'links' | 'links_hash' | 'member' | 'opened_at' | 'picture_path' | 'picture_text' | 'picture_text_hash' | 'plan' | 'plan_hash' | 'reason' | 'reason_salt' | 'report_number' | 'revision' | 'saved_at' | 'slug' | 'stage' | 'story' | 'story_hash' | 'submitted_at' | 'target_usd' | 'title' | 'title_hash' | 'unread_from' | 'version' | 'wallet', 'status'>
      operator_acts: Table<{
        arguments: Json; by: string | null; created_at: string; final_at: string | null; id: string
        kind: string; made_id: number | null; made_kind: string | null; number: number | null
        reason: string | null; reason_hash: string | null; saved_at: string; second: string | null
        state: string; subject: string | null; submitted_at: string | null; version: number | null
      }, 'arguments' | 'by' | 'created_at' | 'final_at' | 'id' | 'made_id' | 'made_kind' | 'number' | 'reason' | 'reason_hash' | 'saved_at' | 'second' | 'state' | 'subject' | 'submitted_at' | 'version', never>
      operators: Table<{ handle: string; member: string | null; since: string; until: string | null }, 'member' | 'since' | 'until', never>
      order_changes: Table<{
        id: number; number: number; ordinal: number | null; recorded_at: string; revision: number
        state: string; tx_hash: string | null
      }, 'ordinal' | 'recorded_at' | 'tx_hash', 'id'>
      orders: Table<{
        account: string; announced_at: string; chain_id: number; due_at: string; expires_at: string
        from_address: string; id: number; ordinal: number | null; pool_slug: string | null
        purpose_hash: string; recipient: string; recipient_account: string | null; revision: number
        state: string; statement: string | null; to_address: string; token_address: string
        token_amount: number; token_decimals: number; token_symbol: string; tx_hash: string | null
        type: string
      }, 'announced_at' | 'id' | 'ordinal' | 'pool_slug' | 'recipient_account' | 'revision' | 'state' | 'statement' | 'tx_hash', never>
      payment_splits: Table<{ cause: string; from_month: string; id: number; parts: Json; recorded_at: string }, 'recorded_at', 'id'>
      payment_terms: Table<{
        chain_id: number; id: number; limit_tokens: number; notice_hours: number; payer: string | null
        recorded_at: string; tokens: Json; wallets: Json
      }, 'payer' | 'recorded_at', 'id'>
      pool_updates: Table<{
        helping: number | null; helping_source_hash: string | null; id: number; links_hash: string | null
        number: number; pool_slug: string; published_at: string; recorded_at: string; revision: number
        text_hash: string
      }, 'helping' | 'helping_source_hash' | 'links_hash' | 'recorded_at' | 'revision', 'id'>
      profiles: Table<{
        avatar_path: string | null; avatar_url: string | null; created_at: string; id: string
        operator_handle: string | null; proven_wallet_address: string | null; username: string
        wallet_address: string | null
      }, 'avatar_path' | 'avatar_url' | 'created_at' | 'operator_handle' | 'proven_wallet_address' | 'username' | 'wallet_address', never>
      proven_wallets: Table<{ address: string; message: string; proven_at: string; signature: string; user_id: string }, 'proven_at', never>
      reconciliations: Table<{
        block_hash: string; block_number: number; block_time: string; chain_amount: number
        chain_id: number; gas_paid: number | null; id: number; ledger_amount: number; taken_at: string
        token_address: string | null; token_decimals: number; token_supply: number | null
        token_symbol: string; unlisted: Json; wallet: string
      }, 'gas_paid' | 'taken_at' | 'token_address' | 'token_supply' | 'unlisted', 'id'>
      split_votes: Table<{
        ends_at: string; id: number; least: number[]; most: number[]; names: string[]; recorded_at: string
        slug: string | null
      }, 'recorded_at', 'slug'>
      standing_changes: Table<{ id: number; number: number; recorded_at: string; revision: number; state: string }, 'recorded_at', 'id'>
      standing_orders: Table<{
        account: string; chain_id: number; day: number | null; ends_at: string; every_days: number | null
        from_address: string; id: number; made_at: string; month_limit: number; order_limit: number
        percent: number | null; pool_slug: string | null; purpose_hash: string; recipient: string | null
        recipient_account: string | null; revision: number; rule: string; source: string | null
        state: string; to_address: string | null; token_address: string; token_amount: number | null
        token_decimals: number; token_symbol: string; words_hash: string | null
      }, 'day' | 'every_days' | 'made_at' | 'percent' | 'pool_slug' | 'recipient' | 'recipient_account' | 'revision' | 'source' | 'state' | 'to_address' | 'token_amount' | 'words_hash', 'id'>
      standing_payments: Table<{
        id: number; occasion: string; order_id: number; payee: string; recorded_at: string
        standing: number
      }, 'recorded_at', 'id'>
      token_rates: Table<{
        asked_at: string; chain_id: number; id: number; priced_at: string | null; rate_usd: number | null
        symbol: string
      }, 'asked_at' | 'priced_at' | 'rate_usd', 'id'>
      transaction_checks: Table<{
        block_hash: string | null; block_number: number | null; block_time: string | null
        checked_at: string; confirmations: number | null; id: number; reason: string | null; status: string
        transaction_id: number
      }, 'block_hash' | 'block_number' | 'block_time' | 'checked_at' | 'confirmations' | 'reason', 'id'>
      transactions: Table<{
        account: string; amount_usd: number | null; chain_id: number; counter_account: string | null
        direction: string; from_address: string; id: number; note_hash: string | null; occurred_at: string
        ordinal: number; pool_slug: string | null; proof_hash: string | null; rate_source: string | null
        rate_usd: number | null; recorded_at: string; revision: number; to_address: string
        token_address: string | null; token_amount: number | null; token_decimals: number | null
        token_symbol: string | null; tx_hash: string; type: string
      }, 'amount_usd' | 'counter_account' | 'note_hash' | 'pool_slug' | 'proof_hash' | 'rate_source' | 'rate_usd' | 'recorded_at' | 'revision' | 'token_address' | 'token_amount' | 'token_decimals' | 'token_symbol', 'id'>
      vote_ballots: Table<{
        choice: string; id: number; number: number; recorded_at: string; signature: string
        signed_at: string; vote: number; wallet: string; weight: number
      }, 'recorded_at', 'id'>
      vote_draws: Table<{
        attempt: number; chain_id: number; excluded: string[]; id: number; quorum_percent: number
        recorded_at: string; seed_block: number; slug: string; start_block: number; token: string
        window_seconds: number
      }, 'recorded_at', 'id'>
      vote_results: Table<{
        against: number; against_wallets: number; ballots: number; id: number; recorded_at: string
        shares: number[] | null; support: number; support_wallets: number; vote: number; won: boolean
      }, 'recorded_at' | 'shares', 'id'>
      vote_voids: Table<{ block_hash: string; block_number: number; draw: number; id: number; recorded_at: string }, 'recorded_at', 'id'>
      votes: Table<{
        block_hash: string; block_number: number; closes_at: string; decimals: number; draw: number
        eligible: number; excluded: Json; goal_leaf: string; id: number; least_weight: number
        quorum: number; quorum_percent: number; recorded_at: string; seed_hash: string; slug: string
        supply: number; token: string
      }, 'recorded_at', 'id'>
      wallet_controls: Table<{
        allowances: Json | null; block_number: number; chain_id: number; control: string
        guard: string | null; handler: string | null; id: number; modules: Json; owners: Json
        recorded_at: string; threshold: number | null; version: string | null; wallet: string
      }, 'allowances' | 'guard' | 'handler' | 'recorded_at' | 'threshold' | 'version', 'id'>
      wallet_names: Table<{ address: string; id: number; name_hash: string; recorded_at: string; revision: number }, 'recorded_at' | 'revision', 'id'>
    }
    Views: {
      arrival_totals: View<{
        answered_count: number | null; asked_count: number | null; asked_usd: number | null
        mail_usd: number | null; no_count: number | null; no_usd: number | null
        not_asked_count: number | null; not_asked_usd: number | null; print_usd: number | null
        unvalued_count: number | null; wallet_usd: number | null
      }>
      exchange_wallets: View<{ by: string | null; id: number | null; second: string | null; wallet: string | null }>
      former_log_names: View<{
        log: string | null; origin: string | null; reason: string | null; until: string | null
        vkey: string | null
      }>
      goal_totals: View<{ completed_count: number | null; funded_usd: number | null; open_count: number | null }>
      ledger_months: View<{
        held_usd: number | null; month: string | null; moved_usd: number | null; paid_usd: number | null
        received_usd: number | null; uses: Json | null
      }>
      ledger_status: View<{
        begun_hash: string | null; begun_index: number | null; block_hash: string | null
        block_number: number | null; block_time: string | null; chain_id: number | null
        check_id: number | null; leaf: string | null; recorded_at: string | null
        rolled_back_at: string | null; rolled_back_size: number | null; scanned_at: string | null
        signed_size: number | null; size: number | null; unread: Json | null; unread_count: number | null
      }>
      ledger_totals: View<{
        as_of: string | null; costs_usd: number | null; disputed_count: number | null
        donated_elsewhere_usd: number | null; donated_usd: number | null; dreams_count: number | null
        dreams_funded_usd: number | null; gifts_usd: number | null; last_occurred_at: string | null
        moved_usd: number | null; other_in_usd: number | null; other_out_usd: number | null
        paid_usd: number | null; pending_count: number | null; pool_gifts_usd: number | null
        received_usd: number | null; returned_usd: number | null; spent_usd: number | null
        tax_usd: number | null; transactions_count: number | null; treasury_usd: number | null
        unvalued_count: number | null; verified_count: number | null; waiting_usd: number | null
      }>
      listening_sources: View<{
        fault_since: string | null; host: string | null; link: string | null; name: string | null
        well_at: string | null
      }>
      live_state: View<{
        acts: string | null; calls: string | null; fundme: string | null; ledger: string | null
        pools: string | null
      }>
      my_goals: View<{
        byline: string | null; category: string | null; completed_at: string | null
        created_at: string | null; days: number | null; draft_plan: Json | null; ended_at: string | null
        ends_at: string | null; fault: string | null; faults: Json | null; frozen: boolean | null
        hidden: boolean | null; id: string | null; is_overdue: boolean | null; links: string | null
        pending_count: number | null; picture_path: string | null; picture_text: string | null
        plan: string | null; reason: string | null; reasons: Json | null; received_usd: number | null
        report_due_at: string | null; report_number: number | null; saved_at: string | null
        slug: string | null; stage: string | null; story: string | null; submitted_at: string | null
        target_usd: number | null; title: string | null; unvalued_count: number | null
        verified_count: number | null; version: number | null; waiting_links: string | null
        waiting_since: string | null; waiting_update: string | null; wallet: string | null
      }>
      newest_checkpoints: View<{
        id: number | null; log: string | null; note: string | null; root: string | null
        signed_at: string | null; size: number | null; vkey: string | null
      }>
      pool_totals: View<{
        direct_usd: number | null; disputed_count: number | null; donations_count: number | null
        donations_usd: number | null; gifts_usd: number | null; helping: number | null
        helping_at: string | null; helping_source: string | null; last_donation_at: string | null
        left_usd: number | null; moved_in_usd: number | null; moved_out_usd: number | null
        other_usd: number | null; pending_count: number | null; pictured_at: string | null
        pictured_links: string | null; pictured_text: string | null; slug: string | null
        spent_usd: number | null; total_usd: number | null; unvalued_count: number | null
      }>
      published_acts: View<{
        act: string | null; by: string | null; id: number | null; log_index: number | null
        made_id: number | null; made_kind: string | null; made_revision: number | null
        reason: string | null; reason_hash: string | null; reason_withdrawn: boolean | null
        recorded_at: string | null; second: string | null; subject: string | null
      }>
      published_anchors: View<{
        address: string | null; block_hash: string | null; block_number: number | null
        block_time: string | null; chain_id: number | null; id: number | null; log: string | null
        nonce: number | null; recorded_at: string | null; root: string | null; signed_at: string | null
        size: number | null; status: string | null; tx_hash: string | null
      }>
      published_answers: View<{
        answer: string | null; by: string | null; chain_id: number | null; id: number | null
        is_current: boolean | null; is_standing_no: boolean | null; log_index: number | null
        name: string | null; notes: Json | null; ordinal: number | null; pool_slug: string | null
        recorded_at: string | null; rejected_because: string | null; rejected_by: string | null
        second: string | null; strength: string | null; to_address: string | null
        transaction_id: number | null; tx_hash: string | null; words: string | null
        words_wait: boolean | null; words_withdrawn: boolean | null
      }>
      published_arrivals: View<{ id: number | null; pool_slug: string | null; state: string | null; to_address: string | null }>
      published_ballots: View<{
        choice: string | null; counts: boolean | null; entry: string | null; goal: string | null
        id: number | null; log_index: number | null; names: Json | null; number: number | null
        recorded_at: string | null; signature: string | null; signed_at: string | null; vote: number | null
        wallet: string | null; weight: string | null
      }>
      published_cause_payments: View<{
        account: string | null; amount_usd: number | null; chain_id: number | null
        from_address: string | null; id: number | null; is_named: boolean | null; note: string | null
        occurred_at: string | null; pool_slug: string | null; to_address: string | null
        token_amount: string | null; token_decimals: number | null; token_symbol: string | null
        tx_hash: string | null
      }>
      published_checkpoints: View<{
        id: number | null; log: string | null; note: string | null; root: string | null
        signed_at: string | null; size: number | null; vkey: string | null
      }>
      published_checks: View<{
        block_hash: string | null; block_number: number | null; block_time: string | null
        checked_at: string | null; confirmations: number | null; id: number | null; reason: string | null
        status: string | null; transaction_id: number | null
      }>
      published_controls: View<{
        allowances: Json | null; allowances_at: string | null; block_number: number | null
        chain_id: number | null; control: string | null; first_at: string | null; guard: string | null
        handler: string | null; id: number | null; keys: Json | null; log_index: number | null
        modules: Json | null; owners: Json | null; read_at: string | null; recorded_at: string | null
        threshold: number | null; version: string | null; wallet: string | null
      }>
      published_cosignatures: View<{
        cosigned_at: string | null; id: number | null; line: string | null; log: string | null
        origin: string | null; recorded_at: string | null; root: string | null; size: number | null
        witness: string | null
      }>
      published_cz_calls: View<{
        action_hash: string | null; action_taken: string | null; answered_at: string | null
        answered_token_amount: string | null; answered_token_decimals: number | null
        answered_token_symbol: string | null; answered_usd: number | null; author: string | null
        captured_at: string | null; chain_id: number | null; checked_at: string | null
        confirmed_by: string | null; confirmed_by_hash: string | null; id: number | null
        is_x_post: boolean | null; log_index: number | null; posted_at: string | null
        recorded_at: string | null; revision: number | null; shared_count: number | null
        source_edited_at: string | null; source_gone_at: string | null; statement_sha256: string | null
        status: string | null; text_hash: string | null; transaction_id: number | null
        tweet_text: string | null; tweet_url: string | null; tx_hash: string | null
        unreachable_at: string | null; verified: boolean | null
      }>
      published_donations: View<{
        account: string | null; amount_usd: number | null; chain_id: number | null
        checked_at: string | null; counter_account: string | null; from_address: string | null
        id: number | null; log_index: number | null; note: string | null; occurred_at: string | null
        pool_slug: string | null; proof_url: string | null; recorded_at: string | null
        status: string | null; to_address: string | null; token_amount: string | null
        token_decimals: number | null; token_symbol: string | null; tx_hash: string | null
        type: string | null; unreachable_at: string | null
      }>
      published_entries: View<{
        entry: string | null; index: number | null; kind: string | null; leaf: string | null
        log: string | null; row_id: number | null
      }>
      published_goal_changes: View<{
        changed_by: string | null; frozen: boolean | null; hidden: boolean | null; id: number | null
        log_index: number | null; reason: string | null; reason_hash: string | null
        recorded_at: string | null; revision: number | null; slug: string | null; stage: string | null
      }>
      published_goal_rows: View<{
        account: string | null; amount_usd: number | null; block_hash: string | null
        block_number: number | null; block_time: string | null; chain_id: number | null
        checked_at: string | null; confirmations: number | null; counter_account: string | null
        counter_name: string | null; direction: string | null; from_address: string | null
        goal: string | null; id: number | null; log_index: number | null; note: string | null
        note_hash: string | null; note_withdrawn: boolean | null; occurred_at: string | null
        ordinal: number | null; pool_slug: string | null; proof_hash: string | null
        proof_url: string | null; proof_withdrawn: boolean | null; rate_source: string | null
        rate_usd: string | null; reason: string | null; recorded_at: string | null; revision: number | null
        status: string | null; to_address: string | null; token_address: string | null
        token_amount: string | null; token_decimals: number | null; token_symbol: string | null
        tx_hash: string | null; type: string | null; unreachable_at: string | null
      }>
      published_goals: View<{
        byline: string | null; category: string | null; completed_at: string | null
        ended_at: string | null; ended_by: string | null; ends_at: string | null; frozen: boolean | null
        hidden: boolean | null; id: string | null; is_overdue: boolean | null; is_watched: boolean | null
        links: string | null; opened_at: string | null; pending_count: number | null
        picture_path: string | null; picture_text: string | null; plan: string | null
        received_usd: number | null; report_due_at: string | null; report_number: number | null
        revision: number | null; slug: string | null; stage: string | null; story: string | null
        target_usd: number | null; title: string | null; unvalued_count: number | null
        verified_count: number | null; wallet: string | null
      }>
      published_holders: View<{ counted_at: string | null; holders: number | null; host: string | null; token: string | null }>
      published_mistakes: View<{
        by: string | null; ended_at: string | null; goal: string | null; id: number | null
        kind: string | null; log_index: number | null; notes: Json | null; order_id: number | null
        pool: string | null; second: string | null; since: string | null; state: string | null
        subject: string | null; token_amount: string | null; token_decimals: number | null
        token_symbol: string | null; transaction_id: number | null; wallet: string | null
        words: string | null; words_withdrawn: boolean | null
      }>
      published_name_changes: View<{
        address: string | null; id: number | null; name: string | null; recorded_at: string | null
        revision: number | null
      }>
      published_names: View<{
        address: string | null; id: number | null; log_index: number | null; name: string | null
        name_hash: string | null; recorded_at: string | null; revision: number | null
      }>
      published_operators: View<{ handle: string | null; since: string | null; until: string | null }>
      published_orders: View<{
        account: string | null; amount_usd: string | null; announced_at: string | null
        approval: number | null; approved_by: string | null; approved_second: string | null
        chain_id: number | null; due_at: string | null; expires_at: string | null
        from_address: string | null; id: number | null; is_removed: boolean | null
        log_index: number | null; moved_at: string | null; occasion: string | null; ordinal: number | null
        paid_at: string | null; pool_slug: string | null; purpose: string | null
        purpose_hash: string | null; recipient: string | null; recipient_account: string | null
        recipient_name: string | null; revision: number | null; standing: number | null
        state: string | null; statement: string | null; stop_reason: string | null
        stop_reason_hash: string | null; stopped_by: string | null; taken_by: string | null
        to_address: string | null; token_address: string | null; token_amount: string | null
        token_decimals: number | null; token_symbol: string | null; transaction_id: number | null
        tx_hash: string | null; type: string | null
      }>
      published_party_transactions: View<{
        account: string | null; amount_usd: number | null; block_hash: string | null
        block_number: number | null; block_time: string | null; chain_id: number | null
        checked_at: string | null; confirmations: number | null; counter_account: string | null
        counter_name: string | null; direction: string | null; from_address: string | null
        id: number | null; log_index: number | null; note: string | null; note_hash: string | null
        note_withdrawn: boolean | null; occurred_at: string | null; ordinal: number | null
        party: string | null; party_direction: string | null; pool_slug: string | null
        proof_hash: string | null; proof_url: string | null; proof_withdrawn: boolean | null
        rate_source: string | null; rate_usd: string | null; reason: string | null
        recorded_at: string | null; revision: number | null; status: string | null
        to_address: string | null; token_address: string | null; token_amount: string | null
        token_decimals: number | null; token_symbol: string | null; tx_hash: string | null
        type: string | null; unreachable_at: string | null
      }>
      published_rates: View<{ chain_id: number | null; priced_at: string | null; rate_usd: string | null; symbol: string | null }>
      published_reconciliations: View<{
        block_hash: string | null; block_number: number | null; block_time: string | null
        chain_amount: string | null; chain_id: number | null; difference: string | null
        gas_paid: string | null; id: number | null; ledger_amount: string | null; taken_at: string | null
        token_address: string | null; token_decimals: number | null; token_supply: string | null
        token_symbol: string | null; unlisted: Json | null; wallet: string | null
      }>
      published_records: View<{
        account: string | null; amount_usd: number | null; chain_id: number | null
        checked_at: string | null; checks: Json | null; counter_account: string | null
        counter_name: string | null; counter_name_hash: string | null; direction: string | null
        entry: string | null; from_address: string | null; id: number | null; leaf: string | null
        log_index: number | null; next_id: number | null; note: string | null; note_hash: string | null
        note_salt: string | null; note_withdrawal_reason: string | null; note_withdrawn: boolean | null
        occurred_at: string | null; ordinal: number | null; pool_slug: string | null
        previous_id: number | null; proof_hash: string | null; proof_url: string | null
        proof_withdrawn: boolean | null; rate_source: string | null; rate_usd: string | null
        recorded_at: string | null; revision: number | null; revisions: Json | null
        signed_size: number | null; statements: Json | null; status: string | null
        to_address: string | null; token_address: string | null; token_amount: string | null
        token_decimals: number | null; token_symbol: string | null; tx_hash: string | null
        type: string | null; unreachable_at: string | null
      }>
      published_row_goals: View<{ goal: string | null; id: number | null; title: string | null }>
      published_splits: View<{
        ends_at: string | null; from_month: string | null; least: Json | null; most: Json | null
        names: Json | null; opened_at: string | null; percent: number | null; shares: Json | null
        slug: string | null
      }>
      published_standing_orders: View<{
        account: string | null; allocated_month: string | null; allocated_now_usd: string | null
        allocated_tax_usd: string | null; approved_by: string | null; approved_second: string | null
        chain_id: number | null; day: number | null; ends_at: string | null; every_days: number | null
        from_address: string | null; id: number | null; log_index: number | null; made_at: string | null
        month_limit: string | null; moved_at: string | null; order_limit: string | null
        orders: number | null; paid: string | null; percent: number | null; pool_slug: string | null
        purpose: string | null; recipient: string | null; recipient_account: string | null
        recipient_name: string | null; revision: number | null; rule: string | null; source: string | null
        spent: string | null; split: Json | null; split_from: string | null; state: string | null
        suspended_by: string | null; suspension_reason: string | null; to_address: string | null
        token_address: string | null; token_amount: string | null; token_decimals: number | null
        token_symbol: string | null; words: string | null
      }>
      published_texts: View<{
        hash: string | null; id: number | null; log: string | null; post_url: string | null
        reason: string | null; salt: string | null; text: string | null; withdrawn_at: string | null
        withdrawn_index: number | null
      }>
      published_transactions: View<{
        account: string | null; amount_usd: number | null; block_hash: string | null
        block_number: number | null; block_time: string | null; chain_id: number | null
        checked_at: string | null; confirmations: number | null; counter_account: string | null
        counter_name: string | null; direction: string | null; from_address: string | null
        id: number | null; log_index: number | null; note: string | null; note_hash: string | null
        note_withdrawn: boolean | null; occurred_at: string | null; ordinal: number | null
        pool_slug: string | null; proof_hash: string | null; proof_url: string | null
        proof_withdrawn: boolean | null; rate_source: string | null; rate_usd: string | null
        reason: string | null; recorded_at: string | null; revision: number | null; status: string | null
        to_address: string | null; token_address: string | null; token_amount: string | null
        token_decimals: number | null; token_symbol: string | null; tx_hash: string | null
        type: string | null; unreachable_at: string | null
      }>
      published_unchecked_transactions: View<{
        account: string | null; amount_usd: number | null; block_hash: string | null
        block_number: number | null; block_time: string | null; chain_id: number | null
        checked_at: string | null; confirmations: number | null; counter_account: string | null
        counter_name: string | null; direction: string | null; from_address: string | null
        id: number | null; log_index: number | null; note: string | null; note_hash: string | null
        note_withdrawn: boolean | null; occurred_at: string | null; ordinal: number | null
        pool_slug: string | null; proof_hash: string | null; proof_url: string | null
        proof_withdrawn: boolean | null; rate_source: string | null; rate_usd: string | null
        reason: string | null; recorded_at: string | null; revision: number | null; status: string | null
        to_address: string | null; token_address: string | null; token_amount: string | null
        token_decimals: number | null; token_symbol: string | null; tx_hash: string | null
        type: string | null; unreachable_at: string | null
      }>
      published_updates: View<{
        helping: number | null; helping_source: string | null; helping_source_hash: string | null
        id: number | null; links: string | null; links_hash: string | null; log_index: number | null
        number: number | null; pool_slug: string | null; published_at: string | null
        recorded_at: string | null; revision: number | null; text: string | null; text_hash: string | null
      }>
      published_vote_entries: View<{
        entry: string | null; goal: string | null; kind: string | null; log_index: number | null
        vote: number | null
      }>
      published_votes: View<{
        against: string | null; against_wallets: number | null; attempt: number | null
        ballots: number | null; block_hash: string | null; block_number: number | null
        chain_id: number | null; closes_at: string | null; decided_at: string | null
        decimals: number | null; drawn_at: string | null; eligible: string | null; excluded: Json | null
        goal: string | null; id: number | null; largest: string | null; leaf: string | null
        least: Json | null; least_weight: string | null; log_index: number | null; most: Json | null
        names: Json | null; opened_at: string | null; paid_by: number | null; quorum: string | null
        quorum_percent: string | null; result_index: number | null; seed_block: number | null
        shares: Json | null; start_block: number | null; supply: string | null; support: string | null
        support_wallets: number | null; token: string | null; waiting_count: number | null
        waiting_since: string | null; wallet: string | null; won: boolean | null
      }>
      source_states: View<{
        ask_after: string | null; asked_at: string | null; fault: string | null; fault_since: string | null
        found_count: number | null; name: string | null; seen_count: number | null; source: string | null
        state: string | null; well_at: string | null
      }>
      suspended_tokens: View<{
        address: string | null; chain_id: number | null; id: number | null; since: string | null
        token_symbol: string | null
      }>
      vote_totals: View<{ ballots: number | null }>
      witness_states: View<{
        alarm: string | null; alarm_at: string | null; ask_after: string | null; asked_at: string | null
        cosigned_at: string | null; cosigned_size: number | null; failures: number | null
        fault: string | null; log: string | null; origin: string | null; state: string | null
        witness: string | null
      }>
    }
    Functions: {
      accept_restore: Call<{ log: string; reason: string }, Json>
      act_with_key: Call<{ arguments: Json; kind: string; reason: string; subject: string; version?: number }, Json>
      allocate_tax: Call<{ chain: number }, number>
      anchor_state: Call<{ address: string; chain: number; log: string }, Json>
      answer_ask: Call<{ answer: string; name: string; seen: number; token: string; words: string }, Json>
      answer_by_wallet: Call<{
        answer: string; asked_at: number; of_row: number; proof: string; salt: string; signature: string
        signed_at: string; words: string
      }, Json>
      append_coins: Call<{ balances: Json; chain: number; entries: Json }, Json>
      append_draw: Call<{ goal: string; terms: Json }, boolean>
      append_ledger: Call<{ entries: Json; scan?: Json }, Json>
      append_name: Call<{ entry: Json }, Json>
      append_statement: Call<{ statement: Json }, number>
      append_unread: Call<{ chain: number; entries: Json; results: Json }, Json>
      append_update: Call<{ entry: Json }, Json>
      applied_migrations: Call<never, Json>
      archive_checkpoint: Call<{ log: string; note: string; root: string; size: number; vkey: string }, boolean>
      bind_order: Call<{ of_order: number; payment: Json }, string>
      check_writes: Call<never, undefined>
      claim_holders: Call<{ token: string }, boolean>
      claim_schedule: Call<{ holder: string; schema_version: string; site: string }, Json>
      claim_sources: Call<{ sources: Json }, Json>
      claim_witnesses: Call<{ log: string; origin: string; witnesses: Json }, Json>
      coin_balances: Call<{ chain: number }, Json>
      complain: Call<{ goal: string; reason: string; words: string }, Json>
      confirm_act: Call<{ act: string }, Json>
      confirm_follow: Call<{ token: string }, Json>
      controls_due: Call<{ chain: number; wallets: Json }, Json>
      count_ballots: Call<{ results: Json }, Json>
      delete_account: Call<never, undefined>
      dismiss_post: Call<{ post: number; reason: string }, Json>
      drop_act: Call<{ act: string }, Json>
      end_goal: Call<{ goal: string; reason: string }, Json>
      end_goals: Call<never, number>
      end_orders: Call<never, number>
      end_payment: Call<{ of_order: number; outcome: string; tx: string }, boolean>
      end_sessions: Call<{ member: string }, number>
      ended_order: Call<{ chain: number; nonce: number; payer: string }, Json>
      find_member: Call<{ address: string }, string>
      finish_votes: Call<never, number>
      follow: Call<{ address: string; asked_at: number; language: string; network: string; proof: string; topic: string }, string>
      follow_as_member: Call<{ language?: string; topic: string }, boolean>
      goal_wallets: Call<never, Json>
      goal_was_read: Call<{ goal: string; next_block: number }, undefined>
      goals_overview: Call<never, Json>
      goals_to_check: Call<never, Json>
      keep_custody: Call<{ proof: string; signed: string }, string>
      keep_following: Call<{ token: string }, Json>
      keep_pools: Call<{ slugs: string[] }, string[]>
      keep_request_key: Call<{ key: string }, undefined>
      last_run: Call<never, Json>
      leave: Call<{ token: string; topic?: string }, Json>
      leave_as_member: Call<{ topic?: string }, boolean>
      ledger_balances: Call<{ chain: number; until_block: number; wallets: Json }, Json>
      ledger_context: Call<{ chain: number; pairs: Json }, Json>
      log_bundle: Call<{ log: string; n: number; width: number }, string>
      log_consistency: Call<{ first_size: number; log: string; second_size: number }, Json>
      log_inclusion: Call<{ index: number; log: string; size: number }, Json>
      log_root: Call<{ log: string; size: number }, string>
      log_size: Call<{ log: string }, number>
      log_tile: Call<{ level: number; log: string; n: number; width: number }, string>
      mail_counts: Call<never, Json>
      matched_before: Call<{ ids: number[] }, Json>
      member_contacts: Call<never, Json>
      member_follows: Call<never, Json>
      my_operator: Call<never, Json>
      never_ask: Call<{ token: string }, string>
      next_mails: Call<{ most?: number; results: Json }, Json>
      open_vote: Call<{ draw: number; facts: Json }, boolean>
      operator_overview: Call<{ goals?: boolean }, Json>
      orphaned_goal_pictures: Call<never, string>
      orphaned_pictures: Call<never, string>
      orphaned_update_pictures: Call<never, string>
      payer_overview: Call<never, Json>
      payment_state: Call<{ chain: number; payer: string }, Json>
      post_goal_update: Call<{ goal: string; is_report: boolean; links: string; picture: string; words: string }, Json>
      posts_with_words: Call<{ source: string; words: string }, Json>
      prepare_mails: Call<never, number>
      print_ask: Call<{ subject: string }, Json>
      read_appointee: Call<{ act: string }, Json>
      read_ask: Call<{ token: string }, Json>
      read_complaints: Call<never, Json>
      read_consent: Call<{ subject: string }, string>
      read_goal: Call<{ goal: string }, Json>
      read_post: Call<{ post: number }, Json>
      record_anchor_check: Call<{ result: Json }, boolean>
      record_checks: Call<{ checks: Json }, number>
      record_controls: Call<{ readings: Json }, number>
      record_gap: Call<{ gap: Json; senders?: Json }, Json>
      record_goal_check: Call<{ goal: string; result: Json }, string>
      record_payer: Call<{ sight: Json }, undefined>
      record_reconciliations: Call<{ entries: Json }, number>
      record_run: Call<{ report: Json; trouble: boolean }, undefined>
      record_source: Call<{ posts?: Json; reading: Json; source: string; states?: Json }, Json>
      record_tries: Call<{ reasons: Json }, undefined>
      record_vote_wait: Call<{ goal: string; reason: string }, undefined>
      record_witness: Call<{ answer: Json; log: string; origin: string; witness: string }, boolean>
      replace_order_transaction: Call<{ gas_price: number; of_order: number; raw: string; tx_hash: string }, boolean>
      report_rollback: Call<{ log: string; root: string; size: number }, boolean>
      save_act: Call<{ act: string; arguments: Json; kind: string; reason: string; subject: string; version?: number }, Json>
      stop_address: Call<{ address: string; reason: string }, undefined>
      stop_orders: Call<{ numbers: number[] }, Json>
      store_anchor: Call<{ anchor: Json; log: string }, number>
      store_anchor_transaction: Call<{ anchor_id: number; gas_price: number; raw: string; tx_hash: string }, boolean>
      store_holders: Call<{ holders: number; host: string; token: string }, undefined>
      store_payment_terms: Call<{ terms: Json }, Json>
      store_rates: Call<{ chain: number; rates: Json }, number>
      submit_act: Call<{ act: string }, Json>
      submit_goal: Call<{ goal: string; version: number }, Json>
      sum_transactions: Call<{ filter: Json }, Json>
      take_back_goal: Call<{ goal: string }, Json>
      tell_opening: Call<never, undefined>
      transactions_due: Call<{ chain: number; most: number; settled_before: string }, Json>
      unread_due: Call<{ chain: number; most: number }, Json>
      use_code: Call<{ failed?: boolean; hash: string }, boolean>
      void_vote: Call<{ block_hash: string; block_number: number; draw: number }, boolean>
      vote_work: Call<{ most: number }, Json>
      votes_overview: Call<never, Json>
      waiting_answers: Call<never, Json>
      withdraw_answer: Call<{ token: string }, Json>
      withdraw_text: Call<{ hash: string; reason: string }, boolean>
      witness_proof: Call<{ known_size: number; log: string; origin: string; size: number }, Json>
    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
