// Written by supabase/embedded/types.ts from the migrations. Do not edit.

type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      allocations: {
        Row: {
          chain_id: number
          id: number
          month: string
          recorded_at: string
          split: number
          standing: number
          tax_usd: number
        }
        Insert: {
          chain_id: number
          id?: never
          month: string
          recorded_at?: string
          split: number
          standing: number
          tax_usd: number
        }
        Update: {
          chain_id?: number
          id?: never
          month?: string
          recorded_at?: string
          split?: number
          standing?: number
          tax_usd?: number
        }
        Relationships: []
      }
      cz_calls: {
        Row: {
          action_hash: string
          author: string
          captured_at: string | null
          chain_id: number | null
          confirmed_by_hash: string | null
          id: number
          posted_at: string
          recorded_at: string
          revision: number
          text_hash: string
          tweet_url: string
          tx_hash: string | null
          verified: boolean
        }
        Insert: {
          action_hash: string
          author: string
          captured_at?: string | null
          chain_id?: number | null
          confirmed_by_hash?: string | null
          id?: never
          posted_at: string
          recorded_at?: string
          revision?: number
          text_hash: string
          tweet_url: string
          tx_hash?: string | null
          verified?: boolean
        }
        Update: {
          action_hash?: string
          author?: string
          captured_at?: string | null
          chain_id?: number | null
          confirmed_by_hash?: string | null
          id?: never
          posted_at?: string
          recorded_at?: string
          revision?: number
          text_hash?: string
          tweet_url?: string
          tx_hash?: string | null
          verified?: boolean
        }
        Relationships: []
      }
      fundme_ballots: {
        Row: {
          arrived_at: string
          choice: string
          id: number
          member: string
          reason: string | null
          refused_at: string | null
          signature: string
          signed_at: string
          tried_at: string | null
          vote: number
          wallet: string
        }
        Insert: {
          arrived_at?: string
          choice: string
          id?: never
          member: string
          reason?: string | null
          refused_at?: string | null
          signature: string
          signed_at: string
          tried_at?: string | null
          vote: number
          wallet: string
        }
        Update: {
          arrived_at?: string
          choice?: string
          id?: never
          member?: string
          reason?: string | null
          refused_at?: string | null
          signature?: string
          signed_at?: string
          tried_at?: string | null
          vote?: number
          wallet?: string
        }
        Relationships: []
      }
      fundme_pools: {
        Row: {
          created_at: string
          current_amount: number
          description: string
          goal_amount: number | null
          id: string
          status: string
          title: string
          user_id: string
        }
        Insert: {
          created_at?: string
          current_amount?: number
          description?: string
          goal_amount?: number | null
          id?: string
          status?: string
          title: string
          user_id: string
        }
        Update: {
          created_at?: string
          current_amount?: number
          description?: string
          goal_amount?: number | null
          id?: string
          status?: string
          title?: string
          user_id?: string
        }
        Relationships: []
      }
      goal_changes: {
        Row: {
          byline_hash: string
          category_hash: string
          changed_by: string
          ends_at: string
          frozen: boolean
          hidden: boolean
          id: number
          links_hash: string | null
          opened_at: string
          picture: string | null
          picture_text_hash: string | null
          plan_hash: string
          reason_hash: string | null
          recorded_at: string
          revision: number
          slug: string
          stage: string
          story_hash: string
          target_usd: number
          title_hash: string
          wallet: string
        }
        Insert: {
          byline_hash: string
          category_hash: string
          changed_by: string
          ends_at: string
          frozen: boolean
          hidden: boolean
          id?: never
          links_hash?: string | null
          opened_at: string
          picture?: string | null
          picture_text_hash?: string | null
          plan_hash: string
          reason_hash?: string | null
          recorded_at?: string
          revision: number
          slug: string
          stage: string
          story_hash: string
          target_usd: number
          title_hash: string
          wallet: string
        }
        Update: {
          byline_hash?: string
          category_hash?: string
          changed_by?: string
          ends_at?: string
          frozen?: boolean
          hidden?: boolean
          id?: never
          links_hash?: string | null
          opened_at?: string
          picture?: string | null
          picture_text_hash?: string | null
          plan_hash?: string
          reason_hash?: string | null
          recorded_at?: string
          revision?: number
          slug?: string
          stage?: string
          story_hash?: string
          target_usd?: number
          title_hash?: string
          wallet?: string
        }
        Relationships: []
      }
      goal_complaints: {
        Row: {
          closed_at: string | null
          goal: string
          id: number
          made_at: string
          member: string
          outcome: string | null
          reason: string
          text: string
        }
        Insert: {
          closed_at?: string | null
          goal: string
          id?: never
          made_at?: string
          member: string
          outcome?: string | null
          reason: string
          text: string
        }
        Update: {
          closed_at?: string | null
          goal?: string
          id?: never
          made_at?: string
          member?: string
          outcome?: string | null
          reason?: string
          text?: string
        }
        Relationships: []
      }
      goals: {
        Row: {
          byline: string
          byline_hash: string | null
          category: string
          category_hash: string | null
          completed_at: string | null
          created_at: string
          days: number | null
          ended_at: string | null
          ended_by: string | null
          ends_at: string | null
          fault: string | null
          frozen: boolean
          hidden: boolean
          id: string
          links: string
          links_hash: string | null
          member: string | null
          opened_at: string | null
          picture_path: string | null
          picture_text: string
          picture_text_hash: string | null
          plan: Json
          plan_hash: string | null
          reason: string | null
          reason_salt: string | null
          report_number: number | null
          revision: number
          saved_at: string
          slug: string | null
          stage: string
          status: string | null
          story: string
          story_hash: string | null
          submitted_at: string | null
          target_usd: number | null
          title: string
          title_hash: string | null
          unread_from: number | null
          version: number
          wallet: string | null
        }
        Insert: {
          byline?: string
          byline_hash?: string | null
          category?: string
          category_hash?: string | null
          completed_at?: string | null
          created_at?: string
          days?: number | null
          ended_at?: string | null
          ended_by?: string | null
          ends_at?: string | null
          fault?: string | null
          frozen?: boolean
          hidden?: boolean
          id?: string
          links?: string
          links_hash?: string | null
          member?: string | null
          opened_at?: string | null
          picture_path?: string | null
          picture_text?: string
          picture_text_hash?: string | null
          plan?: Json
          plan_hash?: string | null
          reason?: string | null
          reason_salt?: string | null
          report_number?: number | null
          revision?: number
          saved_at?: string
          slug?: string | null
          stage?: string
          status?: never
          story?: string
          story_hash?: string | null
          submitted_at?: string | null
          target_usd?: number | null
          title?: string
          title_hash?: string | null
          unread_from?: number | null
          version?: number
          wallet?: string | null
        }
        Update: {
          byline?: string
          byline_hash?: string | null
          category?: string
          category_hash?: string | null
          completed_at?: string | null
          created_at?: string
          days?: number | null
          ended_at?: string | null
          ended_by?: string | null
          ends_at?: string | null
          fault?: string | null
          frozen?: boolean
          hidden?: boolean
          id?: string
          links?: string
          links_hash?: string | null
          member?: string | null
          opened_at?: string | null
          picture_path?: string | null
          picture_text?: string
          picture_text_hash?: string | null
          plan?: Json
          plan_hash?: string | null
          reason?: string | null
          reason_salt?: string | null
          report_number?: number | null
          revision?: number
          saved_at?: string
          slug?: string | null
          stage?: string
          status?: never
          story?: string
          story_hash?: string | null
          submitted_at?: string | null
          target_usd?: number | null
          title?: string
          title_hash?: string | null
          unread_from?: number | null
          version?: number
          wallet?: string | null
        }
        Relationships: []
      }
      operator_acts: {
        Row: {
          arguments: Json
          by: string | null
          created_at: string
          final_at: string | null
          id: string
          kind: string
          made_id: number | null
          made_kind: string | null
          number: number | null
          reason: string | null
          reason_hash: string | null
          saved_at: string
          second: string | null
          state: string
          subject: string | null
          submitted_at: string | null
          version: number | null
        }
        Insert: {
          arguments?: Json
          by?: string | null
          created_at?: string
          final_at?: string | null
          id?: string
          kind: string
          made_id?: number | null
          made_kind?: string | null
          number?: number | null
          reason?: string | null
          reason_hash?: string | null
          saved_at?: string
          second?: string | null
          state?: string
          subject?: string | null
          submitted_at?: string | null
          version?: number | null
        }
        Update: {
          arguments?: Json
          by?: string | null
          created_at?: string
          final_at?: string | null
          id?: string
          kind?: string
          made_id?: number | null
          made_kind?: string | null
          number?: number | null
          reason?: string | null
          reason_hash?: string | null
          saved_at?: string
          second?: string | null
          state?: string
          subject?: string | null
          submitted_at?: string | null
          version?: number | null
        }
        Relationships: []
      }
      operators: {
        Row: {
          handle: string
          member: string | null
          since: string
          until: string | null
        }
        Insert: {
          handle: string
          member?: string | null
          since?: string
          until?: string | null
        }
        Update: {
          handle?: string
          member?: string | null
          since?: string
          until?: string | null
        }
        Relationships: []
      }
      order_changes: {
        Row: {
          id: number
          number: number
          ordinal: number | null
          recorded_at: string
          revision: number
          state: string
          tx_hash: string | null
        }
        Insert: {
          id?: never
          number: number
          ordinal?: number | null
          recorded_at?: string
          revision: number
          state: string
          tx_hash?: string | null
        }
        Update: {
          id?: never
          number?: number
          ordinal?: number | null
          recorded_at?: string
          revision?: number
          state?: string
          tx_hash?: string | null
        }
        Relationships: []
      }
      orders: {
        Row: {
          account: string
          announced_at: string
          chain_id: number
          due_at: string
          expires_at: string
          from_address: string
          id: number
          ordinal: number | null
          pool_slug: string | null
          purpose_hash: string
          recipient: string
          recipient_account: string | null
          revision: number
          state: string
          statement: string | null
          to_address: string
          token_address: string
          token_amount: number
          token_decimals: number
          token_symbol: string
          tx_hash: string | null
          type: string
        }
        Insert: {
          account: string
          announced_at?: string
          chain_id: number
          due_at: string
          expires_at: string
          from_address: string
          id?: never
          ordinal?: number | null
          pool_slug?: string | null
          purpose_hash: string
          recipient: string
          recipient_account?: string | null
          revision?: number
          state?: string
          statement?: string | null
          to_address: string
          token_address: string
          token_amount: number
          token_decimals: number
          token_symbol: string
          tx_hash?: string | null
          type: string
        }
        Update: {
          account?: string
          announced_at?: string
          chain_id?: number
          due_at?: string
          expires_at?: string
          from_address?: string
          id?: never
          ordinal?: number | null
          pool_slug?: string | null
          purpose_hash?: string
          recipient?: string
          recipient_account?: string | null
          revision?: number
          state?: string
          statement?: string | null
          to_address?: string
          token_address?: string
          token_amount?: number
          token_decimals?: number
          token_symbol?: string
          tx_hash?: string | null
          type?: string
        }
        Relationships: []
      }
      payment_splits: {
        Row: {
          cause: string
          from_month: string
          id: number
          parts: Json
          recorded_at: string
        }
        Insert: {
          cause: string
          from_month: string
          id?: never
          parts: Json
          recorded_at?: string
        }
        Update: {
          cause?: string
          from_month?: string
          id?: never
          parts?: Json
          recorded_at?: string
        }
        Relationships: []
      }
      pool_updates: {
        Row: {
          helping: number | null
          helping_source_hash: string | null
          id: number
          links_hash: string | null
          number: number
          pool_slug: string
          published_at: string
          recorded_at: string
          revision: number
          text_hash: string
        }
        Insert: {
          helping?: number | null
          helping_source_hash?: string | null
          id?: never
          links_hash?: string | null
          number: number
          pool_slug: string
          published_at: string
          recorded_at?: string
          revision?: number
          text_hash: string
        }
        Update: {
          helping?: number | null
          helping_source_hash?: string | null
          id?: never
          links_hash?: string | null
          number?: number
          pool_slug?: string
          published_at?: string
          recorded_at?: string
          revision?: number
          text_hash?: string
        }
        Relationships: []
      }
      profiles: {
        Row: {
          avatar_path: string | null
          avatar_url: string | null
          created_at: string
          id: string
          operator_handle: string | null
          proven_wallet_address: string | null
          username: string
          wallet_address: string | null
        }
        Insert: {
          avatar_path?: string | null
          avatar_url?: string | null
          created_at?: string
          id: string
          operator_handle?: string | null
          proven_wallet_address?: string | null
          username?: string
          wallet_address?: string | null
        }
        Update: {
          avatar_path?: string | null
          avatar_url?: string | null
          created_at?: string
          id?: string
          operator_handle?: string | null
          proven_wallet_address?: string | null
          username?: string
          wallet_address?: string | null
        }
        Relationships: []
      }
      proven_wallets: {
        Row: {
          address: string
          message: string
          proven_at: string
          signature: string
          user_id: string
        }
        Insert: {
          address: string
          message: string
          proven_at?: string
          signature: string
          user_id: string
        }
        Update: {
          address?: string
          message?: string
          proven_at?: string
          signature?: string
          user_id?: string
        }
        Relationships: []
      }
      reconciliations: {
        Row: {
          block_hash: string
          block_number: number
          block_time: string
          chain_amount: number
          chain_id: number
          gas_paid: number | null
          id: number
          ledger_amount: number
          taken_at: string
          token_address: string | null
          token_decimals: number
          token_symbol: string
          unlisted: Json
          wallet: string
        }
        Insert: {
          block_hash: string
          block_number: number
          block_time: string
          chain_amount: number
          chain_id: number
          gas_paid?: number | null
          id?: never
          ledger_amount: number
          taken_at?: string
          token_address?: string | null
          token_decimals: number
          token_symbol: string
          unlisted?: Json
          wallet: string
        }
        Update: {
          block_hash?: string
          block_number?: number
          block_time?: string
          chain_amount?: number
          chain_id?: number
          gas_paid?: number | null
          id?: never
          ledger_amount?: number
          taken_at?: string
          token_address?: string | null
          token_decimals?: number
          token_symbol?: string
          unlisted?: Json
          wallet?: string
        }
        Relationships: []
      }
      split_votes: {
        Row: {
          ends_at: string
          id: number
          least: number[]
          most: number[]
          recorded_at: string
          slug: string | null
        }
        Insert: {
          ends_at: string
          id: number
          least: number[]
          most: number[]
          recorded_at?: string
          slug?: never
        }
        Update: {
          ends_at?: string
          id?: number
          least?: number[]
          most?: number[]
          recorded_at?: string
          slug?: never
        }
        Relationships: []
      }
      standing_changes: {
        Row: {
          id: number
          number: number
          recorded_at: string
          revision: number
          state: string
        }
        Insert: {
          id?: never
          number: number
          recorded_at?: string
          revision: number
          state: string
        }
        Update: {
          id?: never
          number?: number
          recorded_at?: string
          revision?: number
          state?: string
        }
        Relationships: []
      }
      standing_orders: {
        Row: {
          account: string
          chain_id: number
          day: number | null
          ends_at: string
          every_days: number | null
          from_address: string
          id: number
          made_at: string
          month_limit: number
          order_limit: number
          percent: number | null
          pool_slug: string | null
          purpose_hash: string
          recipient: string | null
          recipient_account: string | null
          revision: number
          rule: string
          source: string | null
          state: string
          to_address: string | null
          token_address: string
          token_amount: number | null
          token_decimals: number
          token_symbol: string
          words_hash: string | null
        }
        Insert: {
          account: string
          chain_id: number
          day?: number | null
          ends_at: string
          every_days?: number | null
          from_address: string
          id?: never
          made_at?: string
          month_limit: number
          order_limit: number
          percent?: number | null
          pool_slug?: string | null
          purpose_hash: string
          recipient?: string | null
          recipient_account?: string | null
          revision?: number
          rule: string
          source?: string | null
          state?: string
          to_address?: string | null
          token_address: string
          token_amount?: number | null
          token_decimals: number
          token_symbol: string
          words_hash?: string | null
        }
        Update: {
          account?: string
          chain_id?: number
          day?: number | null
          ends_at?: string
          every_days?: number | null
          from_address?: string
          id?: never
          made_at?: string
          month_limit?: number
          order_limit?: number
          percent?: number | null
          pool_slug?: string | null
          purpose_hash?: string
          recipient?: string | null
          recipient_account?: string | null
          revision?: number
          rule?: string
          source?: string | null
          state?: string
          to_address?: string | null
          token_address?: string
          token_amount?: number | null
          token_decimals?: number
          token_symbol?: string
          words_hash?: string | null
        }
        Relationships: []
      }
      standing_payments: {
        Row: {
          id: number
          occasion: string
          order_id: number
          payee: string
          recorded_at: string
          standing: number
        }
        Insert: {
          id?: never
          occasion: string
          order_id: number
          payee: string
          recorded_at?: string
          standing: number
        }
        Update: {
          id?: never
          occasion?: string
          order_id?: number
          payee?: string
          recorded_at?: string
          standing?: number
        }
        Relationships: []
      }
      token_rates: {
        Row: {
          asked_at: string
          chain_id: number
          id: number
          priced_at: string | null
          rate_usd: number | null
          symbol: string
        }
        Insert: {
          asked_at?: string
          chain_id: number
          id?: never
          priced_at?: string | null
          rate_usd?: number | null
          symbol: string
        }
        Update: {
          asked_at?: string
          chain_id?: number
          id?: never
          priced_at?: string | null
          rate_usd?: number | null
          symbol?: string
        }
        Relationships: []
      }
      transaction_checks: {
        Row: {
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          checked_at: string
          confirmations: number | null
          id: number
          reason: string | null
          status: string
          transaction_id: number
        }
        Insert: {
          block_hash?: string | null
          block_number?: number | null
          block_time?: string | null
          checked_at?: string
          confirmations?: number | null
          id?: never
          reason?: string | null
          status: string
          transaction_id: number
        }
        Update: {
          block_hash?: string | null
          block_number?: number | null
          block_time?: string | null
          checked_at?: string
          confirmations?: number | null
          id?: never
          reason?: string | null
          status?: string
          transaction_id?: number
        }
        Relationships: []
      }
      transactions: {
        Row: {
          account: string
          amount_usd: number | null
          chain_id: number
          counter_account: string | null
          direction: string
          from_address: string
          id: number
          note_hash: string | null
          occurred_at: string
          ordinal: number
          pool_slug: string | null
          proof_hash: string | null
          rate_source: string | null
          rate_usd: number | null
          recorded_at: string
          revision: number
          to_address: string
          token_address: string | null
          token_amount: number | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string
          type: string
        }
        Insert: {
          account: string
          amount_usd?: number | null
          chain_id: number
          counter_account?: string | null
          direction: string
          from_address: string
          id?: never
          note_hash?: string | null
          occurred_at: string
          ordinal: number
          pool_slug?: string | null
          proof_hash?: string | null
          rate_source?: string | null
          rate_usd?: number | null
          recorded_at?: string
          revision?: number
          to_address: string
          token_address?: string | null
          token_amount?: number | null
          token_decimals?: number | null
          token_symbol?: string | null
          tx_hash: string
          type: string
        }
        Update: {
          account?: string
          amount_usd?: number | null
          chain_id?: number
          counter_account?: string | null
          direction?: string
          from_address?: string
          id?: never
          note_hash?: string | null
          occurred_at?: string
          ordinal?: number
          pool_slug?: string | null
          proof_hash?: string | null
          rate_source?: string | null
          rate_usd?: number | null
          recorded_at?: string
          revision?: number
          to_address?: string
          token_address?: string | null
          token_amount?: number | null
          token_decimals?: number | null
          token_symbol?: string | null
          tx_hash?: string
          type?: string
        }
        Relationships: []
      }
      vote_ballots: {
        Row: {
          choice: string
          id: number
          number: number
          recorded_at: string
          signature: string
          signed_at: string
          vote: number
          wallet: string
          weight: number
        }
        Insert: {
          choice: string
          id?: never
          number: number
          recorded_at?: string
          signature: string
          signed_at: string
          vote: number
          wallet: string
          weight: number
        }
        Update: {
          choice?: string
          id?: never
          number?: number
          recorded_at?: string
          signature?: string
          signed_at?: string
          vote?: number
          wallet?: string
          weight?: number
        }
        Relationships: []
      }
      vote_draws: {
        Row: {
          attempt: number
          chain_id: number
          id: number
          recorded_at: string
          seed_block: number
          slug: string
          start_block: number
        }
        Insert: {
          attempt: number
          chain_id: number
          id?: never
          recorded_at?: string
          seed_block: number
          slug: string
          start_block: number
        }
        Update: {
          attempt?: number
          chain_id?: number
          id?: never
          recorded_at?: string
          seed_block?: number
          slug?: string
          start_block?: number
        }
        Relationships: []
      }
      vote_results: {
        Row: {
          against: number
          against_wallets: number
          ballots: number
          id: number
          recorded_at: string
          shares: number[] | null
          support: number
          support_wallets: number
          vote: number
          won: boolean
        }
        Insert: {
          against: number
          against_wallets: number
          ballots: number
          id?: never
          recorded_at?: string
          shares?: number[] | null
          support: number
          support_wallets: number
          vote: number
          won: boolean
        }
        Update: {
          against?: number
          against_wallets?: number
          ballots?: number
          id?: never
          recorded_at?: string
          shares?: number[] | null
          support?: number
          support_wallets?: number
          vote?: number
          won?: boolean
        }
        Relationships: []
      }
      vote_voids: {
        Row: {
          block_hash: string
          block_number: number
          id: number
          recorded_at: string
          vote: number
        }
        Insert: {
          block_hash: string
          block_number: number
          id?: never
          recorded_at?: string
          vote: number
        }
        Update: {
          block_hash?: string
          block_number?: number
          id?: never
          recorded_at?: string
          vote?: number
        }
        Relationships: []
      }
      votes: {
        Row: {
          block_hash: string
          block_number: number
          closes_at: string
          decimals: number
          draw: number
          eligible: number
          excluded: Json
          goal_leaf: string
          id: number
          least_weight: number
          quorum: number
          quorum_percent: number
          recorded_at: string
          seed_hash: string
          slug: string
          supply: number
          token: string
        }
        Insert: {
          block_hash: string
          block_number: number
          closes_at: string
          decimals: number
          draw: number
          eligible: number
          excluded: Json
          goal_leaf: string
          id?: never
          least_weight: number
          quorum: number
          quorum_percent: number
          recorded_at?: string
          seed_hash: string
          slug: string
          supply: number
          token: string
        }
        Update: {
          block_hash?: string
          block_number?: number
          closes_at?: string
          decimals?: number
          draw?: number
          eligible?: number
          excluded?: Json
          goal_leaf?: string
          id?: never
          least_weight?: number
          quorum?: number
          quorum_percent?: number
          recorded_at?: string
          seed_hash?: string
          slug?: string
          supply?: number
          token?: string
        }
        Relationships: []
      }
      wallet_names: {
        Row: {
          address: string
          id: number
          name_hash: string
          recorded_at: string
          revision: number
        }
        Insert: {
          address: string
          id?: never
          name_hash: string
          recorded_at?: string
          revision?: number
        }
        Update: {
          address?: string
          id?: never
          name_hash?: string
          recorded_at?: string
          revision?: number
        }
        Relationships: []
      }
    }
    Views: {
      former_log_names: {
        Row: {
          log: string | null
          origin: string | null
          reason: string | null
          until: string | null
          vkey: string | null
        }
        Relationships: []
      }
      goal_totals: {
        Row: {
          completed_count: number | null
          funded_usd: number | null
          open_count: number | null
        }
        Relationships: []
      }
      ledger_months: {
        Row: {
          held_usd: number | null
          month: string | null
          moved_usd: number | null
          paid_usd: number | null
          received_usd: number | null
          uses: Json | null
        }
        Relationships: []
      }
      ledger_status: {
        Row: {
          begun_hash: string | null
          begun_index: number | null
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          chain_id: number | null
          check_id: number | null
          leaf: string | null
          recorded_at: string | null
          rolled_back_at: string | null
          rolled_back_size: number | null
          scanned_at: string | null
          signed_size: number | null
          size: number | null
          unread: Json | null
          unread_count: number | null
        }
        Relationships: []
      }
      ledger_totals: {
        Row: {
          as_of: string | null
          costs_usd: number | null
          disputed_count: number | null
          donated_elsewhere_usd: number | null
          donated_usd: number | null
          dreams_count: number | null
          dreams_funded_usd: number | null
          gifts_usd: number | null
          last_occurred_at: string | null
          moved_usd: number | null
          other_in_usd: number | null
          other_out_usd: number | null
          paid_usd: number | null
          pending_count: number | null
          pool_gifts_usd: number | null
          received_usd: number | null
          returned_usd: number | null
          spent_usd: number | null
          tax_usd: number | null
          transactions_count: number | null
          treasury_usd: number | null
          unvalued_count: number | null
          verified_count: number | null
          waiting_usd: number | null
        }
        Relationships: []
      }
      listening_sources: {
        Row: {
          fault_since: string | null
          host: string | null
          link: string | null
          name: string | null
          well_at: string | null
        }
        Relationships: []
      }
      live_state: {
        Row: {
          acts: string | null
          calls: string | null
          fundme: string | null
          ledger: string | null
          pools: string | null
        }
        Relationships: []
      }
      my_goals: {
        Row: {
          byline: string | null
          category: string | null
          completed_at: string | null
          created_at: string | null
          days: number | null
          draft_plan: Json | null
          ended_at: string | null
          ends_at: string | null
          fault: string | null
          faults: Json | null
          frozen: boolean | null
          hidden: boolean | null
          id: string | null
          is_overdue: boolean | null
          links: string | null
          pending_count: number | null
          picture_path: string | null
          picture_text: string | null
          plan: string | null
          reason: string | null
          reasons: Json | null
          received_usd: number | null
          report_due_at: string | null
          report_number: number | null
          saved_at: string | null
          slug: string | null
          stage: string | null
          story: string | null
          submitted_at: string | null
          target_usd: number | null
          title: string | null
          unvalued_count: number | null
          verified_count: number | null
          version: number | null
          wallet: string | null
        }
        Relationships: []
      }
      newest_checkpoints: {
        Row: {
          id: number | null
          log: string | null
          note: string | null
          root: string | null
          signed_at: string | null
          size: number | null
          vkey: string | null
        }
        Relationships: []
      }
      pool_totals: {
        Row: {
          direct_usd: number | null
          disputed_count: number | null
          donations_count: number | null
          donations_usd: number | null
          gifts_usd: number | null
          helping: number | null
          helping_at: string | null
          helping_source: string | null
          last_donation_at: string | null
          left_usd: number | null
          moved_in_usd: number | null
          moved_out_usd: number | null
          other_usd: number | null
          pending_count: number | null
          pictured_at: string | null
          pictured_links: string | null
          pictured_text: string | null
          slug: string | null
          spent_usd: number | null
          total_usd: number | null
          unvalued_count: number | null
        }
        Relationships: []
      }
      published_acts: {
        Row: {
          act: string | null
          by: string | null
          id: number | null
          log_index: number | null
          made_id: number | null
          made_kind: string | null
          made_revision: number | null
          reason: string | null
          reason_hash: string | null
          reason_withdrawn: boolean | null
          recorded_at: string | null
          second: string | null
          subject: string | null
        }
        Relationships: []
      }
      published_anchors: {
        Row: {
          address: string | null
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          chain_id: number | null
          id: number | null
          log: string | null
          nonce: number | null
          recorded_at: string | null
          root: string | null
          signed_at: string | null
          size: number | null
          status: string | null
          tx_hash: string | null
        }
        Relationships: []
      }
      published_ballots: {
        Row: {
          choice: string | null
          counts: boolean | null
          entry: string | null
          goal: string | null
          id: number | null
          log_index: number | null
          number: number | null
          recorded_at: string | null
          signature: string | null
          signed_at: string | null
          vote: number | null
          wallet: string | null
          weight: string | null
        }
        Relationships: []
      }
      published_cause_payments: {
        Row: {
          account: string | null
          amount_usd: number | null
          chain_id: number | null
          from_address: string | null
          id: number | null
          is_named: boolean | null
          note: string | null
          occurred_at: string | null
          pool_slug: string | null
          to_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string | null
        }
        Relationships: []
      }
      published_checkpoints: {
        Row: {
          id: number | null
          log: string | null
          note: string | null
          root: string | null
          signed_at: string | null
          size: number | null
          vkey: string | null
        }
        Relationships: []
      }
      published_checks: {
        Row: {
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          checked_at: string | null
          confirmations: number | null
          id: number | null
          reason: string | null
          status: string | null
          transaction_id: number | null
        }
        Relationships: []
      }
      published_cosignatures: {
        Row: {
          cosigned_at: string | null
          id: number | null
          line: string | null
          log: string | null
          origin: string | null
          recorded_at: string | null
          root: string | null
          size: number | null
          witness: string | null
        }
        Relationships: []
      }
      published_cz_calls: {
        Row: {
          action_hash: string | null
          action_taken: string | null
          answered_at: string | null
          answered_token_amount: string | null
          answered_token_decimals: number | null
          answered_token_symbol: string | null
          answered_usd: number | null
          author: string | null
          captured_at: string | null
          chain_id: number | null
          checked_at: string | null
          confirmed_by: string | null
          confirmed_by_hash: string | null
          id: number | null
          is_x_post: boolean | null
          log_index: number | null
          posted_at: string | null
          recorded_at: string | null
          revision: number | null
          shared_count: number | null
          source_edited_at: string | null
          source_gone_at: string | null
          statement_sha256: string | null
          status: string | null
          text_hash: string | null
          transaction_id: number | null
          tweet_text: string | null
          tweet_url: string | null
          tx_hash: string | null
          unreachable_at: string | null
          verified: boolean | null
        }
        Relationships: []
      }
      published_donations: {
        Row: {
          account: string | null
          amount_usd: number | null
          chain_id: number | null
          checked_at: string | null
          counter_account: string | null
          from_address: string | null
          id: number | null
          log_index: number | null
          note: string | null
          occurred_at: string | null
          pool_slug: string | null
          proof_url: string | null
          recorded_at: string | null
          status: string | null
          to_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string | null
          type: string | null
          unreachable_at: string | null
        }
        Relationships: []
      }
      published_entries: {
        Row: {
          entry: string | null
          index: number | null
          kind: string | null
          leaf: string | null
          log: string | null
          row_id: number | null
        }
        Relationships: []
      }
      published_goal_changes: {
        Row: {
          changed_by: string | null
          frozen: boolean | null
          hidden: boolean | null
          id: number | null
          log_index: number | null
          reason: string | null
          reason_hash: string | null
          recorded_at: string | null
          revision: number | null
          slug: string | null
          stage: string | null
        }
        Relationships: []
      }
      published_goal_rows: {
        Row: {
          account: string | null
          amount_usd: number | null
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          chain_id: number | null
          checked_at: string | null
          confirmations: number | null
          counter_account: string | null
          counter_name: string | null
          direction: string | null
          from_address: string | null
          goal: string | null
          id: number | null
          log_index: number | null
          note: string | null
          note_hash: string | null
          note_withdrawn: boolean | null
          occurred_at: string | null
          ordinal: number | null
          pool_slug: string | null
          proof_hash: string | null
          proof_url: string | null
          proof_withdrawn: boolean | null
          rate_source: string | null
          rate_usd: string | null
          reason: string | null
          recorded_at: string | null
          revision: number | null
          status: string | null
          to_address: string | null
          token_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string | null
          type: string | null
          unreachable_at: string | null
        }
        Relationships: []
      }
      published_goals: {
        Row: {
          byline: string | null
          category: string | null
          completed_at: string | null
          ended_at: string | null
          ended_by: string | null
          ends_at: string | null
          frozen: boolean | null
          hidden: boolean | null
          id: string | null
          is_overdue: boolean | null
          is_watched: boolean | null
          links: string | null
          opened_at: string | null
          pending_count: number | null
          picture_path: string | null
          picture_text: string | null
          plan: string | null
          received_usd: number | null
          report_due_at: string | null
          report_number: number | null
          revision: number | null
          slug: string | null
          stage: string | null
          story: string | null
          target_usd: number | null
          title: string | null
          unvalued_count: number | null
          verified_count: number | null
          wallet: string | null
        }
        Relationships: []
      }
      published_holders: {
        Row: {
          counted_at: string | null
          holders: number | null
          host: string | null
          token: string | null
        }
        Relationships: []
      }
      published_names: {
        Row: {
          address: string | null
          id: number | null
          log_index: number | null
          name: string | null
          name_hash: string | null
          recorded_at: string | null
          revision: number | null
        }
        Relationships: []
      }
      published_operators: {
        Row: {
          handle: string | null
          since: string | null
          until: string | null
        }
        Relationships: []
      }
      published_orders: {
        Row: {
          account: string | null
          announced_at: string | null
          approval: number | null
          approved_by: string | null
          approved_second: string | null
          chain_id: number | null
          due_at: string | null
          expires_at: string | null
          from_address: string | null
          id: number | null
          log_index: number | null
          moved_at: string | null
          occasion: string | null
          ordinal: number | null
          paid_at: string | null
          pool_slug: string | null
          purpose: string | null
          purpose_hash: string | null
          recipient: string | null
          recipient_account: string | null
          recipient_name: string | null
          revision: number | null
          standing: number | null
          state: string | null
          statement: string | null
          stop_reason: string | null
          stopped_by: string | null
          to_address: string | null
          token_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          transaction_id: number | null
          tx_hash: string | null
          type: string | null
        }
        Relationships: []
      }
      published_party_transactions: {
        Row: {
          account: string | null
          amount_usd: number | null
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          chain_id: number | null
          checked_at: string | null
          confirmations: number | null
          counter_account: string | null
          counter_name: string | null
          direction: string | null
          from_address: string | null
          id: number | null
          log_index: number | null
          note: string | null
          note_hash: string | null
          note_withdrawn: boolean | null
          occurred_at: string | null
          ordinal: number | null
          party: string | null
          party_direction: string | null
          pool_slug: string | null
          proof_hash: string | null
          proof_url: string | null
          proof_withdrawn: boolean | null
          rate_source: string | null
          rate_usd: string | null
          reason: string | null
          recorded_at: string | null
          revision: number | null
          status: string | null
          to_address: string | null
          token_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string | null
          type: string | null
          unreachable_at: string | null
        }
        Relationships: []
      }
      published_rates: {
        Row: {
          chain_id: number | null
          priced_at: string | null
          rate_usd: string | null
          symbol: string | null
        }
        Relationships: []
      }
      published_reconciliations: {
        Row: {
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          chain_amount: string | null
          chain_id: number | null
          difference: string | null
          gas_paid: string | null
          id: number | null
          ledger_amount: string | null
          taken_at: string | null
          token_address: string | null
          token_decimals: number | null
          token_symbol: string | null
          unlisted: Json | null
          wallet: string | null
        }
        Relationships: []
      }
      published_records: {
        Row: {
          account: string | null
          amount_usd: number | null
          chain_id: number | null
          checked_at: string | null
          checks: Json | null
          counter_account: string | null
          counter_name: string | null
          counter_name_hash: string | null
          direction: string | null
          entry: string | null
          from_address: string | null
          id: number | null
          leaf: string | null
          log_index: number | null
          next_id: number | null
          note: string | null
          note_hash: string | null
          note_salt: string | null
          note_withdrawal_reason: string | null
          note_withdrawn: boolean | null
          occurred_at: string | null
          ordinal: number | null
          pool_slug: string | null
          previous_id: number | null
          proof_hash: string | null
          proof_url: string | null
          proof_withdrawn: boolean | null
          rate_source: string | null
          rate_usd: string | null
          recorded_at: string | null
          revision: number | null
          revisions: Json | null
          signed_size: number | null
          statements: Json | null
          status: string | null
          to_address: string | null
          token_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string | null
          type: string | null
          unreachable_at: string | null
        }
        Relationships: []
      }
      published_row_goals: {
        Row: {
          goal: string | null
          id: number | null
          title: string | null
        }
        Relationships: []
      }
      published_splits: {
        Row: {
          ends_at: string | null
          least: Json | null
          most: Json | null
          opened_at: string | null
          shares: Json | null
          slug: string | null
        }
        Relationships: []
      }
      published_standing_orders: {
        Row: {
          account: string | null
          allocated_month: string | null
          allocated_now_usd: string | null
          allocated_tax_usd: string | null
          approved_by: string | null
          approved_second: string | null
          chain_id: number | null
          day: number | null
          ends_at: string | null
          every_days: number | null
          from_address: string | null
          id: number | null
          log_index: number | null
          made_at: string | null
          month_limit: string | null
          moved_at: string | null
          order_limit: string | null
          orders: number | null
          paid: string | null
          percent: number | null
          pool_slug: string | null
          purpose: string | null
          recipient: string | null
          recipient_account: string | null
          recipient_name: string | null
          revision: number | null
          rule: string | null
          source: string | null
          spent: string | null
          split: Json | null
          split_from: string | null
          state: string | null
          suspended_by: string | null
          suspension_reason: string | null
          to_address: string | null
          token_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          words: string | null
        }
        Relationships: []
      }
      published_texts: {
        Row: {
          hash: string | null
          id: number | null
          log: string | null
          post_url: string | null
          reason: string | null
          salt: string | null
          text: string | null
          withdrawn_at: string | null
          withdrawn_index: number | null
        }
        Relationships: []
      }
      published_transactions: {
        Row: {
          account: string | null
          amount_usd: number | null
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          chain_id: number | null
          checked_at: string | null
          confirmations: number | null
          counter_account: string | null
          counter_name: string | null
          direction: string | null
          from_address: string | null
          id: number | null
          log_index: number | null
          note: string | null
          note_hash: string | null
          note_withdrawn: boolean | null
          occurred_at: string | null
          ordinal: number | null
          pool_slug: string | null
          proof_hash: string | null
          proof_url: string | null
          proof_withdrawn: boolean | null
          rate_source: string | null
          rate_usd: string | null
          reason: string | null
          recorded_at: string | null
          revision: number | null
          status: string | null
          to_address: string | null
          token_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string | null
          type: string | null
          unreachable_at: string | null
        }
        Relationships: []
      }
      published_unchecked_transactions: {
        Row: {
          account: string | null
          amount_usd: number | null
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          chain_id: number | null
          checked_at: string | null
          confirmations: number | null
          counter_account: string | null
          counter_name: string | null
          direction: string | null
          from_address: string | null
          id: number | null
          log_index: number | null
          note: string | null
          note_hash: string | null
          note_withdrawn: boolean | null
          occurred_at: string | null
          ordinal: number | null
          pool_slug: string | null
          proof_hash: string | null
          proof_url: string | null
          proof_withdrawn: boolean | null
          rate_source: string | null
          rate_usd: string | null
          reason: string | null
          recorded_at: string | null
          revision: number | null
          status: string | null
          to_address: string | null
          token_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string | null
          type: string | null
          unreachable_at: string | null
        }
        Relationships: []
      }
      published_updates: {
        Row: {
          helping: number | null
          helping_source: string | null
          helping_source_hash: string | null
          id: number | null
          links: string | null
          links_hash: string | null
          log_index: number | null
          number: number | null
          pool_slug: string | null
          published_at: string | null
          recorded_at: string | null
          revision: number | null
          text: string | null
          text_hash: string | null
        }
        Relationships: []
      }
      published_vote_entries: {
        Row: {
          entry: string | null
          goal: string | null
          kind: string | null
          log_index: number | null
          vote: number | null
        }
        Relationships: []
      }
      published_votes: {
        Row: {
          against: string | null
          against_wallets: number | null
          attempt: number | null
          ballots: number | null
          block_hash: string | null
          block_number: number | null
          chain_id: number | null
          closes_at: string | null
          decided_at: string | null
          decimals: number | null
          drawn_at: string | null
          eligible: string | null
          excluded: Json | null
          goal: string | null
          id: number | null
          largest: string | null
          leaf: string | null
          least: Json | null
          least_weight: string | null
          log_index: number | null
          most: Json | null
          opened_at: string | null
          paid_by: number | null
          quorum: string | null
          quorum_percent: string | null
          result_index: number | null
          seed_block: number | null
          shares: Json | null
          start_block: number | null
          supply: string | null
          support: string | null
          support_wallets: number | null
          token: string | null
          waiting_count: number | null
          waiting_since: string | null
          wallet: string | null
          won: boolean | null
        }
        Relationships: []
      }
      source_states: {
        Row: {
          ask_after: string | null
          asked_at: string | null
          fault: string | null
          fault_since: string | null
          found_count: number | null
          name: string | null
          seen_count: number | null
          source: string | null
          state: string | null
          well_at: string | null
        }
        Relationships: []
      }
      suspended_tokens: {
        Row: {
          address: string | null
          chain_id: number | null
          id: number | null
          since: string | null
          token_symbol: string | null
        }
        Relationships: []
      }
      vote_totals: {
        Row: {
          ballots: number | null
        }
        Relationships: []
      }
      witness_states: {
        Row: {
          alarm: string | null
          alarm_at: string | null
          ask_after: string | null
          asked_at: string | null
          cosigned_at: string | null
          cosigned_size: number | null
          failures: number | null
          fault: string | null
          log: string | null
          origin: string | null
          state: string | null
          witness: string | null
        }
        Relationships: []
      }
    }
    Functions: {
      accept_restore: {
        Args: {
          log: string
          reason: string
        }
        Returns: Json
      }
      act_with_key: {
        Args: {
          arguments: Json
          kind: string
          reason: string
          subject: string
          version?: number
        }
        Returns: Json
      }
      allocate_tax: {
        Args: {
          chain: number
        }
        Returns: number
      }
      anchor_state: {
        Args: {
          address: string
          chain: number
          log: string
        }
        Returns: Json
      }
      append_coins: {
        Args: {
          balances: Json
          chain: number
          entries: Json
        }
        Returns: Json
      }
      append_draw: {
        Args: {
          chain: number
          goal: string
          seed_block: number
          start_block: number
        }
        Returns: boolean
      }
      append_ledger: {
        Args: {
          entries: Json
          scan?: Json
        }
        Returns: Json
      }
      append_name: {
        Args: {
          entry: Json
        }
        Returns: Json
      }
      append_statement: {
        Args: {
          statement: Json
        }
        Returns: number
      }
      append_unread: {
        Args: {
          chain: number
          entries: Json
          results: Json
        }
        Returns: Json
      }
      append_update: {
        Args: {
          entry: Json
        }
        Returns: Json
      }
      archive_checkpoint: {
        Args: {
          log: string
          note: string
          root: string
          size: number
          vkey: string
        }
        Returns: boolean
      }
      bind_order: {
        Args: {
          of_order: number
          payment: Json
        }
        Returns: string
      }
      check_writes: {
        Args: never
        Returns: undefined
      }
      claim_holders: {
        Args: {
          token: string
        }
        Returns: boolean
      }
      claim_sources: {
        Args: {
          sources: Json
        }
        Returns: Json
      }
      claim_witnesses: {
        Args: {
          log: string
          origin: string
          witnesses: Json
        }
        Returns: Json
      }
      coin_balances: {
        Args: {
          chain: number
        }
        Returns: Json
      }
      complain: {
        Args: {
          goal: string
          reason: string
          words: string
        }
        Returns: Json
      }
      confirm_act: {
        Args: {
          act: string
        }
        Returns: Json
      }
      confirm_follow: {
        Args: {
          token: string
        }
        Returns: Json
      }
      count_ballots: {
        Args: {
          results: Json
        }
        Returns: Json
      }
      delete_account: {
        Args: never
        Returns: undefined
      }
      dismiss_post: {
        Args: {
          post: number
          reason: string
        }
        Returns: Json
      }
      drop_act: {
        Args: {
          act: string
        }
        Returns: Json
      }
      end_goal: {
        Args: {
          goal: string
          reason: string
        }
        Returns: Json
      }
      end_goals: {
        Args: never
        Returns: number
      }
      end_payment: {
        Args: {
          of_order: number
          outcome: string
          tx: string
        }
        Returns: boolean
      }
      end_sessions: {
        Args: {
          member: string
        }
        Returns: number
      }
      find_member: {
        Args: {
          address: string
        }
        Returns: string
      }
      finish_votes: {
        Args: never
        Returns: number
      }
      follow: {
        Args: {
          address: string
          asked_at: number
          language: string
          network: string
          proof: string
          topic: string
        }
        Returns: string
      }
      follow_as_member: {
        Args: {
          language?: string
          topic: string
        }
        Returns: boolean
      }
      goal_wallets: {
        Args: never
        Returns: Json
      }
      goal_was_read: {
        Args: {
          goal: string
          next_block: number
        }
        Returns: undefined
      }
      goals_overview: {
        Args: never
        Returns: Json
      }
      goals_to_check: {
        Args: never
        Returns: Json
      }
      keep_following: {
        Args: {
          token: string
        }
        Returns: Json
      }
      keep_orders: {
        Args: {
          settings: Json
        }
        Returns: number
      }
      keep_request_key: {
        Args: {
          key: string
        }
        Returns: undefined
      }
      last_run: {
        Args: never
        Returns: Json
      }
      leave: {
        Args: {
          token: string
          topic?: string
        }
        Returns: Json
      }
      leave_as_member: {
        Args: {
          topic?: string
        }
        Returns: boolean
      }
      ledger_balances: {
        Args: {
          chain: number
          until_block: number
          wallets: Json
        }
        Returns: Json
      }
      ledger_context: {
        Args: {
          chain: number
          pairs: Json
        }
        Returns: Json
      }
      log_bundle: {
        Args: {
          log: string
          n: number
          width: number
        }
        Returns: string
      }
      log_consistency: {
        Args: {
          first_size: number
          log: string
          second_size: number
        }
        Returns: Json
      }
      log_inclusion: {
        Args: {
          index: number
          log: string
          size: number
        }
        Returns: Json
      }
      log_root: {
        Args: {
          log: string
          size: number
        }
        Returns: string
      }
      log_size: {
        Args: {
          log: string
        }
        Returns: number
      }
      log_tile: {
        Args: {
          level: number
          log: string
          n: number
          width: number
        }
        Returns: string
      }
      mail_counts: {
        Args: never
        Returns: Json
      }
      member_follows: {
        Args: never
        Returns: Json
      }
      my_operator: {
        Args: never
        Returns: Json
      }
      next_mails: {
        Args: {
          most?: number
          results: Json
        }
        Returns: Json
      }
      open_vote: {
        Args: {
          draw: number
          facts: Json
        }
        Returns: boolean
      }
      operator_overview: {
        Args: {
          goals?: boolean
        }
        Returns: Json
      }
      orphaned_goal_pictures: {
        Args: never
        Returns: string
      }
      orphaned_pictures: {
        Args: never
        Returns: string
      }
      orphaned_update_pictures: {
        Args: never
        Returns: string
      }
      payer_overview: {
        Args: never
        Returns: Json
      }
      payment_state: {
        Args: {
          chain: number
          payer: string
        }
        Returns: Json
      }
      post_goal_update: {
        Args: {
          goal: string
          is_report: boolean
          links: string
          picture: string
          words: string
        }
        Returns: Json
      }
      prepare_mails: {
        Args: never
        Returns: number
      }
      read_appointee: {
        Args: {
          act: string
        }
        Returns: Json
      }
      read_complaints: {
        Args: never
        Returns: Json
      }
      read_goal: {
        Args: {
          goal: string
        }
        Returns: Json
      }
      read_post: {
        Args: {
          post: number
        }
        Returns: Json
      }
      record_anchor_check: {
        Args: {
          result: Json
        }
        Returns: boolean
      }
      record_checks: {
        Args: {
          checks: Json
        }
        Returns: number
      }
      record_gap: {
        Args: {
          gap: Json
          senders?: Json
        }
        Returns: Json
      }
      record_goal_check: {
        Args: {
          goal: string
          result: Json
        }
        Returns: string
      }
      record_payer: {
        Args: {
          sight: Json
        }
        Returns: undefined
      }
      record_reconciliations: {
        Args: {
          entries: Json
        }
        Returns: number
      }
      record_run: {
        Args: {
          report: Json
          trouble: boolean
        }
        Returns: undefined
      }
      record_source: {
        Args: {
          posts?: Json
          reading: Json
          source: string
          states?: Json
        }
        Returns: Json
      }
      record_vote_wait: {
        Args: {
          goal: string
          reason: string
        }
        Returns: undefined
      }
      record_witness: {
        Args: {
          answer: Json
          log: string
          origin: string
          witness: string
        }
        Returns: boolean
      }
      replace_order_transaction: {
        Args: {
          gas_price: number
          of_order: number
          raw: string
          tx_hash: string
        }
        Returns: boolean
      }
      report_rollback: {
        Args: {
          log: string
          root: string
          size: number
        }
        Returns: boolean
      }
      save_act: {
        Args: {
          act: string
          arguments: Json
          kind: string
          reason: string
          subject: string
          version?: number
        }
        Returns: Json
      }
      stop_address: {
        Args: {
          address: string
          reason: string
        }
        Returns: undefined
      }
      store_anchor: {
        Args: {
          anchor: Json
          log: string
        }
        Returns: number
      }
      store_anchor_transaction: {
        Args: {
          anchor_id: number
          gas_price: number
          raw: string
          tx_hash: string
        }
        Returns: boolean
      }
      store_holders: {
        Args: {
          holders: number
          host: string
          token: string
        }
        Returns: undefined
      }
      store_rates: {
        Args: {
          chain: number
          rates: Json
        }
        Returns: number
      }
      submit_act: {
        Args: {
          act: string
        }
        Returns: Json
      }
      submit_goal: {
        Args: {
          goal: string
          version: number
        }
        Returns: Json
      }
      sum_transactions: {
        Args: {
          filter: Json
        }
        Returns: Json
      }
      take_back_goal: {
        Args: {
          goal: string
        }
        Returns: Json
      }
      tell_opening: {
        Args: never
        Returns: undefined
      }
      transactions_due: {
        Args: {
          chain: number
          most: number
          settled_before: string
        }
        Returns: Json
      }
      unread_due: {
        Args: {
          chain: number
          most: number
        }
        Returns: Json
      }
      void_vote: {
        Args: {
          block_hash: string
          block_number: number
          vote: number
        }
        Returns: boolean
      }
      vote_work: {
        Args: {
          most: number
        }
        Returns: Json
      }
      votes_overview: {
        Args: never
        Returns: Json
      }
      withdraw_text: {
        Args: {
          hash: string
          reason: string
        }
        Returns: boolean
      }
      witness_proof: {
        Args: {
          known_size: number
          log: string
          origin: string
          size: number
        }
        Returns: Json
      }
    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
