SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE FUNCTION public.note_messages_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_nestloop TO 'off'
    AS $$
begin
  insert into search_changes (message_id, text, channel_id, conversation_id, sender_id, is_removed)
  select b.id, b.topic || ' ' || b.content, b.channel_id, b.conversation_id, b.sender_id, false
  from before b join after a on a.id = b.id
  where (b.topic, b.content, b.channel_id) is distinct from (a.topic, a.content, a.channel_id);
  return null;
end $$;
CREATE FUNCTION public.note_messages_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into search_changes (message_id, text, channel_id, conversation_id, sender_id, is_removed)
  select id, topic || ' ' || content, channel_id, conversation_id, sender_id, true from gone;
  delete from message_marks where message_id = any(array(select id from gone));
  delete from message_edits where message_id = any(array(select id from gone));
  return null;
end $$;
CREATE FUNCTION public.note_part() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update messages set has_parts = true where id = new.message_id and not has_parts;
  return null;
end $$;
CREATE FUNCTION public.refuse_write() RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a write does not find what it was decided on' using errcode = 'PY001';
end $$;
CREATE FUNCTION public.search_grams(word text) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select array_agg(distinct substr(word, start, length))
  from generate_series(1, char_length(word)) start, generate_series(1, 3) length
  where start + length <= char_length(word) + 1
$$;
CREATE TABLE public.address_changes (
    user_id integer NOT NULL,
    email text NOT NULL,
    token_hash text,
    expires_at timestamp with time zone NOT NULL,
    former_hash text
);
CREATE TABLE public.agent_grants (
    key_id text NOT NULL,
    user_id integer NOT NULL,
    client_id text NOT NULL,
    redirect_url text NOT NULL,
    challenge text NOT NULL,
    name text NOT NULL,
    scope text NOT NULL,
    code_hash text NOT NULL,
    code_expires_at bigint NOT NULL,
    is_redeemed boolean DEFAULT false NOT NULL,
    refresh_hash text,
    former_refresh_hash text,
    refreshed_at bigint
);
CREATE TABLE public.alert_words (
    user_id integer NOT NULL,
    words text[] NOT NULL
);
CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    logged_at timestamp with time zone NOT NULL,
    actor_id integer NOT NULL,
    kind text NOT NULL,
    part json NOT NULL
);
CREATE TABLE public.bot_setups (
    bot_id integer NOT NULL,
    service json,
    sending_channel_id integer,
    events_channel_id integer,
    hears_public_channels boolean NOT NULL,
    webhook_secret text
);
CREATE TABLE public.bot_storage (
    bot_id integer NOT NULL,
    key text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.call_messages (
    message_id bigint NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    provider text NOT NULL,
    room text NOT NULL,
    place jsonb,
    own_length integer NOT NULL,
    watched_until timestamp with time zone NOT NULL,
    due_at timestamp with time zone DEFAULT now(),
    claimed_by integer,
    tries integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.channel_folders (
    id integer NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    rendered_description text NOT NULL,
    created_at bigint NOT NULL,
    creator_id integer,
    is_archived boolean DEFAULT false NOT NULL,
    "position" integer NOT NULL
);
CREATE TABLE public.channel_pins (
    id bigint NOT NULL,
    channel_id integer NOT NULL,
    message_id bigint,
    topic text,
    user_id integer NOT NULL,
    pinned_at bigint NOT NULL,
    receivers text NOT NULL,
    CONSTRAINT channel_pins_check CHECK (((message_id IS NULL) <> (topic IS NULL)))
);
CREATE TABLE public.channels (
    id integer NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    rendered_description text NOT NULL,
    created_at bigint NOT NULL,
    creator_id integer,
    is_private boolean NOT NULL,
    is_history_public boolean NOT NULL,
    retention_days integer,
    is_web_public boolean DEFAULT false NOT NULL,
    topics_policy text DEFAULT 'inherit'::text NOT NULL,
    folder_id integer,
    is_archived boolean DEFAULT false NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    permissions json DEFAULT '{}'::json NOT NULL,
    has_link_previews boolean DEFAULT true NOT NULL
);
CREATE TABLE public.client_devices (
    id bigint NOT NULL,
    user_id integer NOT NULL,
    push_key bytea,
    push_key_id bigint,
    token_kind text,
    token_id text,
    pending_token_id text,
    token_updated_at bigint,
    error_code text,
    registration text,
    relay_public_key text,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    tried_since timestamp with time zone,
    claimed_by integer,
    CONSTRAINT client_devices_token_kind_check CHECK ((token_kind = ANY (ARRAY['apns'::text, 'fcm'::text])))
);
CREATE TABLE public.conversations (
    id integer NOT NULL,
    user_ids integer[] NOT NULL,
    had_messages boolean DEFAULT false NOT NULL
);
ALTER TABLE public.conversations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.conversations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.custom_emoji (
    id integer NOT NULL,
    name text NOT NULL,
    author_id integer NOT NULL,
    picture_id text NOT NULL,
    is_animated boolean NOT NULL,
    is_deactivated boolean NOT NULL
);
CREATE TABLE public.desktop_logins (
    token_hash text NOT NULL,
    user_id integer NOT NULL,
    proof_hash text NOT NULL,
    passkey_id text,
    expires_at bigint NOT NULL
);
CREATE TABLE public.drafts (
    id bigint NOT NULL,
    user_id integer NOT NULL,
    channel_id integer,
    topic text NOT NULL,
    user_ids integer[],
    content text NOT NULL,
    edited_at bigint NOT NULL,
    CONSTRAINT drafts_check CHECK (((channel_id IS NULL) OR (user_ids IS NULL)))
);
CREATE TABLE public.email_domains (
    id integer NOT NULL,
    domain text NOT NULL,
    allows_subdomains boolean NOT NULL
);
CREATE TABLE public.event_counter (
    only_row boolean DEFAULT true NOT NULL,
    log_id uuid DEFAULT gen_random_uuid() NOT NULL,
    last_id bigint NOT NULL,
    structural_id bigint NOT NULL,
    stamped_at bigint DEFAULT 0 NOT NULL,
    epoch uuid DEFAULT gen_random_uuid() NOT NULL,
    home text,
    CONSTRAINT event_counter_only_row_check CHECK (only_row)
);
CREATE TABLE public.event_log (
    id bigint NOT NULL,
    event json NOT NULL,
    audience text,
    logged_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    actor_id integer DEFAULT '-1'::integer
);
CREATE TABLE public.event_queues (
    id uuid NOT NULL,
    user_id integer NOT NULL,
    options json NOT NULL,
    acknowledged_id bigint NOT NULL,
    idle_timeout_seconds integer NOT NULL,
    seen_at timestamp with time zone NOT NULL
);
CREATE TABLE public.export_work (
    export_id integer NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    file_key text,
    progress real DEFAULT 0 NOT NULL
);
CREATE TABLE public.factor_tries (
    user_id integer NOT NULL,
    tries integer NOT NULL,
    since bigint NOT NULL
);
CREATE TABLE public.half_logins (
    token_hash text NOT NULL,
    user_id integer NOT NULL,
    password_hash text NOT NULL,
    expires_at bigint NOT NULL,
    hidden_pad text,
    app text
);
CREATE TABLE public.imported_ids (
    key uuid NOT NULL,
    id bigint NOT NULL
);
CREATE TABLE public.invitations (
    id bigint NOT NULL,
    key text,
    inviter_id integer NOT NULL,
    role smallint NOT NULL,
    channel_ids integer[] NOT NULL,
    group_ids integer[] NOT NULL,
    has_default_channels boolean NOT NULL,
    welcome_text text,
    invited_at bigint NOT NULL,
    expires_at bigint,
    email text,
    token_hash text,
    notifies_inviter boolean DEFAULT false NOT NULL,
    printed_hash text,
    former_hash text,
    CONSTRAINT invitations_form CHECK (((key IS NULL) <> (email IS NULL)))
);
CREATE TABLE public.joinings (
    email text NOT NULL,
    invitation_id bigint NOT NULL,
    token_hash text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    former_hash text
);
CREATE TABLE public.last_activity (
    user_id integer NOT NULL,
    active_at bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.link_previews (
    url_hash bytea NOT NULL,
    preview jsonb,
    picture_id text,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.login_addresses (
    user_id integer NOT NULL,
    address_hash bytea NOT NULL,
    last_at timestamp with time zone NOT NULL
);
CREATE TABLE public.login_devices (
    user_id integer NOT NULL,
    device_hash text NOT NULL,
    seen_at bigint NOT NULL
);
CREATE TABLE public.login_links (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id integer NOT NULL,
    linked_at timestamp with time zone NOT NULL
);
CREATE TABLE public.login_sessions (
    id text NOT NULL,
    user_id integer NOT NULL,
    token_hash text NOT NULL,
    created_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    client text DEFAULT ''::text NOT NULL,
    address text DEFAULT ''::text NOT NULL,
    by_passkey boolean DEFAULT false NOT NULL
);
CREATE TABLE public.mail_results (
    is_only boolean DEFAULT true NOT NULL,
    sent_at timestamp with time zone,
    failed_at timestamp with time zone,
    problem text,
    CONSTRAINT mail_results_is_only_check CHECK (is_only)
);
CREATE TABLE public.mails (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind text NOT NULL,
    recipient text NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone DEFAULT now(),
    tries integer DEFAULT 0 NOT NULL,
    invitation_id bigint,
    user_id integer,
    details json,
    handed integer DEFAULT 0 NOT NULL,
    claimed_by integer
);
CREATE TABLE public.mentions (
    user_id integer NOT NULL,
    message_id bigint NOT NULL,
    flags smallint NOT NULL
);
CREATE TABLE public.message_edits (
    message_id bigint NOT NULL,
    id bigint NOT NULL,
    user_id integer,
    edited_at bigint NOT NULL,
    prev_content text,
    prev_rendered text,
    prev_topic text,
    topic text,
    prev_channel_id integer,
    channel_id integer,
    encoded_diff text
);
ALTER TABLE ONLY public.message_edits ALTER COLUMN encoded_diff SET STORAGE EXTERNAL;
CREATE TABLE public.message_marks (
    user_id integer NOT NULL,
    message_id bigint NOT NULL,
    marks smallint NOT NULL
);
CREATE TABLE public.message_sends (
    sender_id integer NOT NULL,
    queue_id text NOT NULL,
    local_id text NOT NULL,
    message_id bigint NOT NULL
);
CREATE TABLE public.message_uploads (
    message_id bigint NOT NULL,
    upload_id integer NOT NULL
);
CREATE TABLE public.messages (
    id bigint NOT NULL,
    channel_id integer,
    conversation_id integer,
    topic text NOT NULL,
    sender_id integer NOT NULL,
    content text NOT NULL,
    rendered text NOT NULL,
    sent_at bigint NOT NULL,
    client text NOT NULL,
    read_by_id integer,
    mentions json,
    is_for_all boolean DEFAULT false NOT NULL,
    placed_id bigint,
    passed jsonb,
    edited_at bigint,
    moved_at bigint,
    has_parts boolean DEFAULT false NOT NULL,
    unread_for integer[],
    CONSTRAINT messages_check CHECK (((channel_id IS NULL) <> (conversation_id IS NULL)))
);
CREATE TABLE public.migrations (
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.mutings (
    user_id integer NOT NULL,
    muted_id integer NOT NULL,
    from_id bigint NOT NULL,
    until_id bigint,
    muted_at bigint NOT NULL
);
CREATE TABLE public.named_keys (
    id text NOT NULL,
    user_id integer NOT NULL,
    key_hash text NOT NULL,
    name text NOT NULL,
    scope text NOT NULL,
    channel_id integer,
    created_at bigint NOT NULL,
    expires_at bigint,
    seen_at bigint,
    token_expires_at bigint,
    CONSTRAINT named_keys_check CHECK (((scope = 'channel'::text) = (channel_id IS NOT NULL))),
    CONSTRAINT named_keys_scope_check CHECK ((scope = ANY (ARRAY['read'::text, 'messages'::text, 'channel'::text, 'webhooks'::text])))
);
CREATE TABLE public.navigation_views (
    id bigint NOT NULL,
    user_id integer NOT NULL,
    fragment text NOT NULL,
    is_pinned boolean NOT NULL,
    name text
);
CREATE TABLE public.organization (
    only_row boolean DEFAULT true NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    rendered_description text NOT NULL,
    created_at bigint NOT NULL,
    settings json DEFAULT '{}'::json NOT NULL,
    permissions json DEFAULT '{}'::json NOT NULL,
    newcomers_settings json DEFAULT '{}'::json NOT NULL,
    generation json,
    icon_id text,
    logo_id text,
    night_logo_id text,
    CONSTRAINT organization_only_row_check CHECK (only_row)
);
CREATE TABLE public.organization_exports (
    id integer NOT NULL,
    user_id integer NOT NULL,
    kind text NOT NULL,
    requested_at bigint NOT NULL,
    outcome json NOT NULL,
    CONSTRAINT organization_exports_kind_check CHECK ((kind = ANY (ARRAY['public'::text, 'consented'::text, 'own'::text])))
);
CREATE TABLE public.organization_imports (
    id integer NOT NULL,
    user_id integer NOT NULL,
    product text NOT NULL,
    file_name text NOT NULL,
    is_fetching boolean NOT NULL,
    is_keeping_roles boolean NOT NULL,
    requested_at bigint NOT NULL,
    state json NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    plan json,
    report json
);
CREATE TABLE public.organization_lists (
    name text NOT NULL,
    entries json NOT NULL,
    last_id integer NOT NULL
);
CREATE TABLE public.outgoing_webhooks (
    bot_id integer NOT NULL,
    signing_secret text NOT NULL,
    failing_since timestamp with time zone
);
CREATE TABLE public.passkey_challenges (
    browser_hash text NOT NULL,
    challenge text NOT NULL,
    user_id integer,
    expires_at bigint NOT NULL
);
CREATE TABLE public.passkeys (
    id text NOT NULL,
    user_id integer NOT NULL,
    credential_id text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    is_synced boolean NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint
);
CREATE TABLE public.password_resets (
    user_id integer NOT NULL,
    token_hash text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    former_hash text
);
CREATE TABLE public.pending_notifications (
    way text NOT NULL,
    user_id integer NOT NULL,
    message_id bigint NOT NULL,
    trigger text NOT NULL,
    group_id integer,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    claimed_by integer,
    CONSTRAINT pending_notifications_way_check CHECK ((way = ANY (ARRAY['push'::text, 'mail'::text, 'webhook'::text])))
);
CREATE TABLE public.pictures (
    id text NOT NULL,
    variant text NOT NULL,
    content_type text NOT NULL,
    sha256 text NOT NULL,
    bytes bytea NOT NULL,
    stored_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE ONLY public.pictures ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE public.preview_pictures (
    message_id bigint NOT NULL,
    picture_id text NOT NULL
);
CREATE TABLE public.profile_fields (
    id integer NOT NULL,
    type smallint NOT NULL,
    name text NOT NULL,
    hint text NOT NULL,
    data json,
    is_in_summary boolean NOT NULL,
    is_required boolean NOT NULL,
    is_editable boolean NOT NULL,
    "position" integer NOT NULL,
    is_deleted boolean DEFAULT false NOT NULL
);
CREATE TABLE public.profile_values (
    user_id integer NOT NULL,
    field_id integer NOT NULL,
    value text NOT NULL,
    rendered text
);
CREATE TABLE public.provider_tokens (
    id uuid NOT NULL,
    user_id integer NOT NULL,
    sealed bytea NOT NULL,
    expires_at timestamp with time zone,
    is_current boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.push_tests (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id integer NOT NULL,
    target json NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    is_claimed boolean DEFAULT false NOT NULL,
    outcome text
);
CREATE TABLE public.push_tokens (
    user_id integer NOT NULL,
    kind text NOT NULL,
    token text NOT NULL,
    app_id text,
    is_removed boolean DEFAULT false NOT NULL,
    added_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone DEFAULT now(),
    claimed_by integer,
    CONSTRAINT push_tokens_kind_check CHECK ((kind = ANY (ARRAY['apns'::text, 'fcm'::text])))
);
CREATE TABLE public.pushes (
    id bigint NOT NULL,
    user_id integer NOT NULL,
    subscription_id bigint,
    message_id bigint NOT NULL,
    group_id integer,
    asked_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone DEFAULT now(),
    tries integer DEFAULT 0 NOT NULL,
    shown_at timestamp with time zone,
    mark text,
    claimed_by integer
);
ALTER TABLE public.pushes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.pushes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.reactions (
    message_id bigint NOT NULL,
    user_id integer NOT NULL,
    emoji_code text NOT NULL,
    reaction_type text NOT NULL,
    emoji_name text NOT NULL,
    added_id bigint NOT NULL
);
CREATE TABLE public.read_marks (
    user_id integer NOT NULL,
    place bigint NOT NULL,
    through_id bigint DEFAULT 0 NOT NULL,
    read_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    unread_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL
);
CREATE TABLE public.received_mails (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    mark text NOT NULL,
    recipient text NOT NULL,
    envelope_from text NOT NULL,
    raw bytea,
    size integer NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone DEFAULT now(),
    tries integer DEFAULT 0 NOT NULL,
    claimed_by integer
);
CREATE TABLE public.recovery_codes (
    user_id integer NOT NULL,
    code_hash text NOT NULL
);
CREATE TABLE public.relay_state (
    is_only boolean DEFAULT true NOT NULL,
    can_push boolean NOT NULL,
    noted_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT relay_state_is_only_check CHECK (is_only)
);
CREATE TABLE public.removed_files (
    key text NOT NULL,
    removed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.reply_tokens (
    token_hash text NOT NULL,
    user_id integer NOT NULL,
    email text NOT NULL,
    message_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.saved_snippets (
    id bigint NOT NULL,
    user_id integer NOT NULL,
    title text NOT NULL,
    content text NOT NULL,
    created_at bigint NOT NULL,
    changed_id bigint NOT NULL
);
CREATE TABLE public.scheduled_messages (
    id bigint NOT NULL,
    user_id integer NOT NULL,
    channel_id integer,
    user_ids integer[],
    topic text NOT NULL,
    content text NOT NULL,
    rendered text NOT NULL,
    deliver_at bigint NOT NULL,
    is_read_by_sender boolean NOT NULL,
    client text NOT NULL,
    has_failed boolean DEFAULT false NOT NULL,
    target_id bigint,
    note text DEFAULT ''::text NOT NULL,
    changed_id bigint NOT NULL,
    sent_id bigint,
    request_id text,
    text_length integer GENERATED ALWAYS AS ((length(content) + length(rendered))) STORED
);
CREATE TABLE public.scim_groups (
    group_id integer NOT NULL,
    external_id text,
    is_gone boolean NOT NULL
);
CREATE TABLE public.scim_tokens (
    is_only boolean DEFAULT true NOT NULL,
    token_hash text NOT NULL,
    CONSTRAINT scim_tokens_is_only_check CHECK (is_only)
);
CREATE TABLE public.scim_users (
    user_id integer NOT NULL,
    user_name text NOT NULL,
    user_key text NOT NULL,
    external_id text,
    names json NOT NULL,
    is_gone boolean NOT NULL
);
CREATE TABLE public.search_changes (
    key bigint NOT NULL,
    message_id bigint NOT NULL,
    text text NOT NULL,
    channel_id integer,
    conversation_id integer,
    sender_id integer NOT NULL,
    is_removed boolean NOT NULL
);
ALTER TABLE public.search_changes ALTER COLUMN key ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.search_changes_key_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.search_index (
    only_row boolean DEFAULT true NOT NULL,
    through_id bigint NOT NULL,
    CONSTRAINT search_index_only_row_check CHECK (only_row)
);
CREATE TABLE public.search_postings (
    term bigint NOT NULL,
    block integer NOT NULL,
    offsets bytea NOT NULL
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY public.search_postings ALTER COLUMN offsets SET STORAGE PLAIN;
CREATE TABLE public.search_words (
    id bigint NOT NULL,
    word text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE public.search_words ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.search_words_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.setup_links (
    id boolean DEFAULT true NOT NULL,
    token_hash text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT setup_links_id_check CHECK (id)
);
CREATE TABLE public.submessages (
    id bigint NOT NULL,
    message_id bigint NOT NULL,
    sender_id integer NOT NULL,
    type text NOT NULL,
    content text NOT NULL
);
CREATE TABLE public.subscription_settings (
    user_id integer NOT NULL,
    channel_id integer NOT NULL,
    settings json NOT NULL
);
CREATE TABLE public.subscription_spans (
    channel_id integer NOT NULL,
    user_id integer NOT NULL,
    from_id bigint NOT NULL,
    until_id bigint
);
CREATE TABLE public.tickets (
    hash text NOT NULL,
    use text NOT NULL,
    user_id integer,
    key_hash text,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.time_breaks (
    id bigint NOT NULL
);
CREATE TABLE public.totp_factors (
    user_id integer NOT NULL,
    secret text NOT NULL,
    started_at bigint NOT NULL,
    enabled_at bigint,
    last_step bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.tus_uploads (
    key text NOT NULL,
    owner_id integer NOT NULL,
    size bigint,
    metadata text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    reply text,
    is_answered boolean DEFAULT false NOT NULL,
    import_id integer,
    CONSTRAINT tus_uploads_size_check CHECK ((size >= 0))
);
CREATE TABLE public.upload_secrets (
    is_only boolean DEFAULT true NOT NULL,
    secret bytea NOT NULL,
    picture_secret bytea NOT NULL,
    CONSTRAINT upload_secrets_is_only_check CHECK (is_only)
);
CREATE TABLE public.uploads (
    id integer NOT NULL,
    owner_id integer NOT NULL,
    path text NOT NULL,
    name text NOT NULL,
    content_type text DEFAULT ''::text NOT NULL,
    size bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    width integer,
    height integer,
    is_animated boolean DEFAULT false NOT NULL,
    has_thumbnail boolean DEFAULT false NOT NULL,
    state text DEFAULT 'arriving'::text NOT NULL,
    CONSTRAINT uploads_state_check CHECK ((state = ANY (ARRAY['arriving'::text, 'whole'::text])))
);
ALTER TABLE public.uploads ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.uploads_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.user_group_members (
    group_id integer NOT NULL,
    user_id integer NOT NULL
);
CREATE TABLE public.user_group_subgroups (
    group_id integer NOT NULL,
    subgroup_id integer NOT NULL
);
CREATE TABLE public.user_groups (
    id integer NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    creator_id integer,
    created_at bigint,
    is_system boolean DEFAULT false NOT NULL,
    is_deactivated boolean DEFAULT false NOT NULL,
    permissions json NOT NULL
);
CREATE TABLE public.user_statuses (
    user_id integer NOT NULL,
    text text NOT NULL,
    emoji json
);
CREATE TABLE public.user_topics (
    user_id integer NOT NULL,
    channel_id integer NOT NULL,
    topic text NOT NULL,
    visibility smallint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.users (
    id integer NOT NULL,
    email text NOT NULL,
    full_name text NOT NULL,
    role smallint NOT NULL,
    is_active boolean NOT NULL,
    bot_type smallint,
    bot_owner_id integer,
    timezone text NOT NULL,
    joined_at bigint NOT NULL,
    avatar_version integer NOT NULL,
    api_key_hashes text[] DEFAULT '{}'::text[] NOT NULL,
    password_hash text,
    is_system boolean DEFAULT false NOT NULL,
    seen_day integer,
    settings json DEFAULT '{}'::json NOT NULL,
    avatar_id text,
    awaits_login boolean DEFAULT false NOT NULL,
    picture_source text
);
CREATE TABLE public.waiting_previews (
    message_id bigint NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    urls text[] NOT NULL,
    own_length integer NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    claimed_by integer
);
CREATE TABLE public.web_push_keys (
    is_only boolean DEFAULT true NOT NULL,
    private_key bytea NOT NULL,
    public_key bytea NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT web_push_keys_is_only_check CHECK (is_only)
);
CREATE TABLE public.web_push_subscriptions (
    id bigint NOT NULL,
    user_id integer NOT NULL,
    endpoint text NOT NULL,
    p256dh bytea NOT NULL,
    auth bytea NOT NULL,
    session_id text,
    key_hash text,
    client text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_success_at timestamp with time zone,
    last_answer text,
    CONSTRAINT web_push_subscriptions_check CHECK (((session_id IS NULL) <> (key_hash IS NULL)))
);
CREATE TABLE public.workers (
    id integer NOT NULL
);
INSERT INTO public.alert_words VALUES (2, '{minutes}');
INSERT INTO public.channel_pins VALUES (50, 1, 24, NULL, 1, 1795947277, '1,2,3');
INSERT INTO public.channels VALUES (1, 'plans', 'Our *plans*', '<p>Our <em>plans</em></p>', 1795899555, 1, false, true, NULL, false, 'inherit', NULL, false, false, '{"canAddSubscribers":8,"canRemoveSubscribers":2,"canAdministerChannel":{"directMembers":[1],"directSubgroups":[]},"canDeleteAnyMessage":8,"canDeleteOwnMessage":8,"canMoveMessagesOutOfChannel":8,"canMoveMessagesWithinChannel":8,"canSendMessage":6,"canSubscribe":8,"canResolveTopics":8,"canCreateTopic":6}', true);
INSERT INTO public.channels VALUES (2, 'board', '', '', 1795899555, 1, true, false, NULL, false, 'inherit', NULL, false, false, '{"canAddSubscribers":8,"canRemoveSubscribers":2,"canAdministerChannel":{"directMembers":[1],"directSubgroups":[]},"canDeleteAnyMessage":8,"canDeleteOwnMessage":8,"canMoveMessagesOutOfChannel":8,"canMoveMessagesWithinChannel":8,"canSendMessage":6,"canSubscribe":8,"canResolveTopics":8,"canCreateTopic":6}', true);
INSERT INTO public.conversations OVERRIDING SYSTEM VALUE VALUES (1, '{1,2}', false);
INSERT INTO public.drafts VALUES (37, 2, 1, 'Autumn', NULL, 'Not sent yet', 1790000000);
INSERT INTO public.event_counter VALUES (true, 'ac881a92-bc2c-4fed-b526-8f73c39213e1', 56, 56, 1795947301, '2834a89a-43e6-43cf-813b-7bf53b74f015', '7713534406753505177/00000001/16384');
INSERT INTO public.event_log VALUES (1, '{"type":"organization_created","organization":{"name":"Old Team","description":"","renderedDescription":"","createdAt":1795899504,"settings":{"waitingPeriodDays":0,"topicsPolicy":"allow_empty_topic","hasSpectatorAccess":false,"messageRetentionDays":-1,"sendsChannelEvents":true,"announcementsChannelId":null,"moderationChannelId":null,"allowsEditing":true,"contentEditLimitSeconds":600,"contentDeleteLimitSeconds":600,"topicMoveLimitSeconds":604800,"channelMoveLimitSeconds":604800,"editHistoryVisibility":"all","hasReadReceipts":true,"defaultPictureSource":null,"secondFactorGraceDays":null,"secondFactorRequiredAt":null,"defaultLanguage":"en","defaultCodeBlockLanguage":"","emailsRestrictedToDomains":false,"inlineImagePreview":true,"nameChangesDisabled":false,"emailChangesDisabled":false,"avatarChangesDisabled":false,"presenceDisabled":false,"requireUniqueNames":false,"disallowDisposableEmailAddresses":false,"inlineUrlEmbedPreview":false,"enableGuestUserIndicator":true,"enableGuestUserDmWarning":true,"digestEmailsEnabled":false,"digestWeekday":1,"sendWelcomeEmails":false,"welcomeMessageCustomText":"","messageContentAllowedInEmailNotifications":false,"videoChatProvider":0,"jitsiServerUrl":null,"giphyRating":0,"orgType":0,"wantAdvertiseInCommunitiesDirectory":false},"permissions":{"canAccessAllUsers":6,"canAddCustomEmoji":5,"canAddSubscribers":5,"canCreateBots":5,"canCreateGroups":5,"canCreatePrivateChannel":5,"canCreatePublicChannel":5,"canCreateWebPublicChannel":1,"canCreateWriteOnlyBots":5,"canDeleteAnyMessage":2,"canDeleteOwnMessage":6,"canInviteUsers":5,"canManageAllGroups":1,"canManageBilling":2,"canMentionManyUsers":2,"canMoveMessagesBetweenChannels":5,"canMoveMessagesBetweenTopics":6,"canResolveTopics":6,"canSetDeleteMessagePolicy":3,"canSetTopicsPolicy":5,"canSummarizeTopics":6,"createMultiuseInvite":2,"directMessageInitiator":6,"directMessagePermission":6}}}', '', '2026-11-28 20:58:24.434924+00', 0);
INSERT INTO public.event_log VALUES (2, '{"type":"realm_user/add","user":{"email":"ada@example.com","fullName":"Ada","role":100,"isActive":true,"botType":null,"botOwnerId":null,"timezone":"","avatarVersion":1,"joinedAt":1795899514,"id":1,"isSystem":false}}', '', '2026-11-28 20:58:34.747576+00', 0);
INSERT INTO public.event_log VALUES (3, '{"type":"api_keys_changed","userId":1,"keyHashes":["339836897d2a51aef8adb2f99b2814ac99c7054a7fd69fd2248ea559305ba4b9"]}', '', '2026-11-28 20:58:34.74774+00', 0);
INSERT INTO public.event_log VALUES (4, '{"type":"user_group/add_members","groupId":1,"userIds":[1]}', '', '2026-11-28 20:58:34.747748+00', NULL);
INSERT INTO public.event_log VALUES (5, '{"type":"password_set","userId":1}', '', '2026-11-28 20:58:34.747754+00', 0);
INSERT INTO public.event_log VALUES (6, '{"type":"realm_user/add","user":{"email":"grace@example.com","fullName":"Grace","role":400,"isActive":true,"botType":null,"botOwnerId":null,"timezone":"","avatarVersion":1,"joinedAt":1795899521,"id":2,"isSystem":false}}', '1', '2026-11-28 20:58:41.620907+00', 0);
INSERT INTO public.event_log VALUES (7, '{"type":"api_keys_changed","userId":2,"keyHashes":["03906a9a0d9ae4afb433b0e572615d18e8d280b18d5c8e8844efa10422d261c3"]}', '', '2026-11-28 20:58:41.621075+00', 0);
INSERT INTO public.event_log VALUES (8, '{"type":"user_group/add_members","groupId":4,"userIds":[2]}', '1', '2026-11-28 20:58:41.621082+00', NULL);
INSERT INTO public.event_log VALUES (9, '{"type":"user_group/add_members","groupId":5,"userIds":[2]}', '1', '2026-11-28 20:58:41.621087+00', NULL);
INSERT INTO public.event_log VALUES (10, '{"type":"password_set","userId":2}', '', '2026-11-28 20:58:41.621091+00', 0);
INSERT INTO public.event_log VALUES (11, '{"type":"realm_user/add","user":{"email":"ci-bot@example.com","fullName":"CI","role":400,"isActive":true,"botType":1,"botOwnerId":1,"timezone":"","avatarVersion":1,"joinedAt":1795899527,"id":3,"isSystem":false}}', '1,2', '2026-11-28 20:58:47.435592+00', 0);
INSERT INTO public.event_log VALUES (12, '{"type":"api_keys_changed","userId":3,"keyHashes":["fc9feafa3bcee53347feaccc6200b274c5da74340d71e4783a78fe403585d3f3"]}', '', '2026-11-28 20:58:47.435741+00', 0);
INSERT INTO public.event_log VALUES (13, '{"type":"user_group/add_members","groupId":4,"userIds":[3]}', '1,2', '2026-11-28 20:58:47.435748+00', NULL);
INSERT INTO public.event_log VALUES (14, '{"type":"user_group/add_members","groupId":5,"userIds":[3]}', '1,2', '2026-11-28 20:58:47.435752+00', NULL);
INSERT INTO public.event_log VALUES (15, '{"type":"realm_bot/add","botId":3}', '1', '2026-11-28 20:58:47.435756+00', NULL);
INSERT INTO public.event_log VALUES (16, '{"type":"stream/create","channels":[{"name":"plans","description":"Our *plans*","renderedDescription":"<p>Our <em>plans</em></p>","createdAt":1795899555,"creatorId":1,"isPrivate":false,"isWebPublic":false,"isHistoryPublic":true,"retentionDays":null,"topicsPolicy":"inherit","folderId":null,"isArchived":false,"permissions":{"canAddSubscribers":8,"canRemoveSubscribers":2,"canAdministerChannel":{"directMembers":[1],"directSubgroups":[]},"canDeleteAnyMessage":8,"canDeleteOwnMessage":8,"canMoveMessagesOutOfChannel":8,"canMoveMessagesWithinChannel":8,"canSendMessage":6,"canSubscribe":8,"canResolveTopics":8,"canCreateTopic":6},"id":1}]}', '1,2,3', '2026-11-28 20:59:15.793672+00', 1);
INSERT INTO public.event_log VALUES (17, '{"type":"subscription/add","channels":[{"name":"plans","description":"Our *plans*","renderedDescription":"<p>Our <em>plans</em></p>","createdAt":1795899555,"creatorId":1,"isPrivate":false,"isWebPublic":false,"isHistoryPublic":true,"retentionDays":null,"topicsPolicy":"inherit","folderId":null,"isArchived":false,"permissions":{"canAddSubscribers":8,"canRemoveSubscribers":2,"canAdministerChannel":{"directMembers":[1],"directSubgroups":[]},"canDeleteAnyMessage":8,"canDeleteOwnMessage":8,"canMoveMessagesOutOfChannel":8,"canMoveMessagesWithinChannel":8,"canSendMessage":6,"canSubscribe":8,"canResolveTopics":8,"canCreateTopic":6},"id":1}],"userIds":[1,2,3]}', '1,2,3', '2026-11-28 20:59:15.793813+00', 1);
INSERT INTO public.event_log VALUES (18, '{"type":"realm_user/add","user":{"id":4,"email":"notification-bot@127.0.0.1","fullName":"Notification Bot","role":400,"isActive":true,"botType":1,"botOwnerId":null,"timezone":"","joinedAt":1795899555,"avatarVersion":1,"isSystem":true}}', '1,2,3', '2026-11-28 20:59:15.8018+00', 0);
INSERT INTO public.event_log VALUES (19, '{"type":"api_keys_changed","userId":4,"keyHashes":[]}', '', '2026-11-28 20:59:15.801832+00', 0);
INSERT INTO public.event_log VALUES (20, '{"type":"message","conversationId":null,"userIds":null,"channelId":1,"topic":"channel events","content":"**Public** channel created by @_**Ada|1**. **Description:**\n\n> Our *plans*","rendered":"<p><strong>Public</strong> channel created by <span class=\"user-mention silent\" data-user-id=\"1\">Ada</span>. <strong>Description:</strong></p>\n<blockquote>\n<p>Our <em>plans</em></p>\n</blockquote>","senderId":4,"sentAt":1795899555,"client":"Internal","readById":1,"queueId":null,"localId":null}', NULL, '2026-11-28 20:59:15.812016+00', NULL);
INSERT INTO public.event_log VALUES (21, '{"type":"stream/create","channels":[{"name":"board","description":"","renderedDescription":"","createdAt":1795899555,"creatorId":1,"isPrivate":true,"isWebPublic":false,"isHistoryPublic":false,"retentionDays":null,"topicsPolicy":"inherit","folderId":null,"isArchived":false,"permissions":{"canAddSubscribers":8,"canRemoveSubscribers":2,"canAdministerChannel":{"directMembers":[1],"directSubgroups":[]},"canDeleteAnyMessage":8,"canDeleteOwnMessage":8,"canMoveMessagesOutOfChannel":8,"canMoveMessagesWithinChannel":8,"canSendMessage":6,"canSubscribe":8,"canResolveTopics":8,"canCreateTopic":6},"id":2}]}', '1', '2026-11-28 20:59:15.862248+00', 1);
INSERT INTO public.event_log VALUES (22, '{"type":"subscription/add","channels":[{"name":"board","description":"","renderedDescription":"","createdAt":1795899555,"creatorId":1,"isPrivate":true,"isWebPublic":false,"isHistoryPublic":false,"retentionDays":null,"topicsPolicy":"inherit","folderId":null,"isArchived":false,"permissions":{"canAddSubscribers":8,"canRemoveSubscribers":2,"canAdministerChannel":{"directMembers":[1],"directSubgroups":[]},"canDeleteAnyMessage":8,"canDeleteOwnMessage":8,"canMoveMessagesOutOfChannel":8,"canMoveMessagesWithinChannel":8,"canSendMessage":6,"canSubscribe":8,"canResolveTopics":8,"canCreateTopic":6},"id":2}],"userIds":[1]}', '1', '2026-11-28 20:59:15.862279+00', 1);
INSERT INTO public.event_log VALUES (23, '{"type":"message","conversationId":null,"userIds":null,"channelId":2,"topic":"channel events","content":"**Private, protected history** channel created by @_**Ada|1**.","rendered":"<p><strong>Private, protected history</strong> channel created by <span class=\"user-mention silent\" data-user-id=\"1\">Ada</span>.</p>","senderId":4,"sentAt":1795899555,"client":"Internal","readById":1,"queueId":null,"localId":null}', NULL, '2026-11-28 20:59:15.867353+00', NULL);
INSERT INTO public.event_log VALUES (24, '{"type":"message","channelId":1,"conversationId":null,"userIds":null,"topic":"Autumn","senderId":1,"content":"Who writes the **minutes**?","sentAt":1795899555,"client":"node","readById":null,"queueId":null,"localId":null,"rendered":"<p>Who writes the <strong>minutes</strong>?</p>"}', NULL, '2026-11-28 20:59:15.898653+00', NULL);
INSERT INTO public.event_log VALUES (25, '{"type":"message","channelId":1,"conversationId":null,"userIds":null,"topic":"Autumn","senderId":2,"content":"I do, @**Ada**. See https://example.com/minutes","sentAt":1795899555,"client":"node","readById":null,"queueId":null,"localId":null,"rendered":"<p>I do, <span class=\"user-mention\" data-user-id=\"1\">@Ada</span>. See <a href=\"https://example.com/minutes\">https://example.com/minutes</a></p>","mentions":[[1,8]]}', NULL, '2026-11-28 20:59:15.954497+00', NULL);
INSERT INTO public.event_log VALUES (26, '{"type":"update_message","messageId":24,"messageIds":[24],"channelId":1,"channelName":"plans","userId":1,"editedAt":1795899555,"holders":{"unread":"1,2,3","starred":"","collapsed":""},"content":{"previous":"Who writes the **minutes**?","previousRendered":"<p>Who writes the <strong>minutes</strong>?</p>","content":"Who writes the **minutes** this week?","rendered":"<p>Who writes the <strong>minutes</strong> this week?</p>"}}', '1,2,3', '2026-11-28 20:59:15.994339+00', NULL);
INSERT INTO public.event_log VALUES (27, '{"type":"reaction/add","messageId":25,"channelId":1,"emojiName":"tada","emojiCode":"1f389","reactionType":"unicode_emoji","userId":1}', '1,2,3', '2026-11-28 20:59:16.075835+00', NULL);
INSERT INTO public.event_log VALUES (28, '{"type":"message","channelId":1,"conversationId":null,"userIds":null,"topic":"Builds","senderId":3,"content":"```js\nlet built = true\n```","sentAt":1795899556,"client":"node","readById":null,"queueId":null,"localId":null,"rendered":"<div class=\"codehilite\" data-code-language=\"JavaScript\"><pre><span></span><code><span class=\"k\">let</span> built = <span class=\"kc\">true</span>\n</code></pre></div>"}', NULL, '2026-11-28 20:59:16.445598+00', NULL);
INSERT INTO public.event_log VALUES (29, '{"type":"message","channelId":1,"conversationId":null,"userIds":null,"topic":"Autumn","senderId":2,"content":"Posted by mistake","sentAt":1795899556,"client":"node","readById":null,"queueId":null,"localId":null,"rendered":"<p>Posted by mistake</p>"}', NULL, '2026-11-28 20:59:16.460539+00', NULL);
INSERT INTO public.event_log VALUES (30, '{"type":"delete_message","channelId":1,"topic":"Autumn","messageIds":[29],"countsByDay":[[20785,1]],"firstMessageId":20,"lastMessageAt":1795899556,"clients":"with_bulk_deletion"}', '1,2,3', '2026-11-28 20:59:16.512486+00', 1);
INSERT INTO public.event_log VALUES (31, '{"type":"delete_message/single","channelId":1,"topic":"Autumn","messageId":29,"clients":"without_bulk_deletion"}', '1,2,3', '2026-11-28 20:59:16.512516+00', NULL);
INSERT INTO public.event_log VALUES (32, '{"type":"message","channelId":2,"conversationId":null,"userIds":null,"topic":"Secrets","senderId":1,"content":"Only for the board","sentAt":1795899556,"client":"node","readById":null,"queueId":null,"localId":null,"rendered":"<p>Only for the board</p>"}', NULL, '2026-11-28 20:59:16.522645+00', NULL);
INSERT INTO public.event_log VALUES (33, '{"type":"message","channelId":null,"conversationId":1,"userIds":[1,2],"topic":"","senderId":2,"content":"A word in private","sentAt":1795899556,"client":"node","readById":null,"queueId":null,"localId":null,"rendered":"<p>A word in private</p>"}', NULL, '2026-11-28 20:59:16.54284+00', NULL);
INSERT INTO public.event_log VALUES (34, '{"type":"update_message_flags","op":"add","flag":"starred","messages":[{"place":2,"messageIds":[24]}],"userId":2}', '2', '2026-11-28 20:59:16.559817+00', NULL);
INSERT INTO public.event_log VALUES (35, '{"type":"user_topic","userId":1,"userTopic":{"channelId":1,"topic":"Builds","visibility":1,"updatedAt":1795899556}}', '1', '2026-11-28 20:59:16.567701+00', NULL);
INSERT INTO public.event_log VALUES (36, '{"type":"muted_topics","mutedTopics":[["plans","Builds",1795899556]]}', '1', '2026-11-28 20:59:16.56773+00', NULL);
INSERT INTO public.event_log VALUES (37, '{"type":"drafts/add","draft":{"target":{"kind":"channel","channelId":1,"topic":"Autumn"},"content":"Not sent yet","editedAt":1790000000},"userId":2}', '2', '2026-11-28 20:59:16.583747+00', NULL);
INSERT INTO public.event_log VALUES (38, '{"type":"scheduled_messages/add","scheduled":{"target":{"kind":"channel","channelId":1,"topic":"Autumn"},"content":"Much later","rendered":"<p>Much later</p>","deliverAt":4102444800,"isReadBySender":false,"client":"node","requestId":"gijmx0w855j-e"},"userId":2}', '2', '2026-11-28 20:59:16.600918+00', NULL);
INSERT INTO public.event_log VALUES (39, '{"type":"user_group/add","group":{"id":9,"name":"writers","description":"People who write","creatorId":1,"createdAt":1795899556,"isSystem":false,"isDeactivated":false,"permissions":{"canAddMembers":{"directMembers":[1],"directSubgroups":[]},"canJoin":8,"canLeave":6,"canManage":{"directMembers":[1],"directSubgroups":[]},"canMention":6,"canRemoveMembers":8}},"memberIds":[1,2],"subgroupIds":[]}', '1,2,3', '2026-11-28 20:59:16.605815+00', 1);
INSERT INTO public.event_log VALUES (40, '{"type":"realm_linkifiers","linkifiers":[{"id":1,"pattern":"#(?P<id>[0-9]+)","urlTemplate":"https://example.com/{id}","exampleInput":null,"reverseTemplate":null,"alternativeUrlTemplates":[]}],"clients":"with_linkifier_templates"}', '1,2,3', '2026-11-28 20:59:16.642063+00', 1);
INSERT INTO public.event_log VALUES (41, '{"type":"realm/update_dict","changes":{"description":"A team since **0.1.0**","renderedDescription":"<p>A team since <strong>0.1.0</strong></p>"}}', '1,2,3', '2026-11-28 20:59:16.657547+00', 1);
INSERT INTO public.event_log VALUES (42, '{"type":"alert_words","words":["minutes"],"userId":2}', '2', '2026-11-28 20:59:16.673483+00', NULL);
INSERT INTO public.event_log VALUES (43, '{"type":"user_settings/update","userId":2,"change":{"name":"enableSounds","value":false}}', '2', '2026-11-28 20:59:16.689562+00', NULL);
INSERT INTO public.event_log VALUES (44, '{"type":"update_global_notifications","userId":2,"change":{"name":"enableSounds","value":false},"clients":"without_settings_object"}', '2', '2026-11-28 20:59:16.689596+00', NULL);
INSERT INTO public.event_log VALUES (45, '{"type":"saved_snippets/add","snippet":{"title":"Hello","content":"Hello all","createdAt":1795899556},"userId":1}', '1', '2026-11-28 20:59:16.70621+00', NULL);
INSERT INTO public.event_log VALUES (46, '{"type":"invites_changed","change":{"kind":"mailed","invitation":{"role":400,"channelIds":[1],"groupIds":[],"inviterId":1,"hasDefaultChannels":false,"welcomeText":null,"invitedAt":1795899556,"expiresAt":1796763556}}}', '1', '2026-11-28 20:59:16.719491+00', 1);
INSERT INTO public.event_log VALUES (47, '{"type":"attachment/add","upload":{"id":1,"path":"1/71/canJDvuHyLF6xHUEJmrJYCjx/notes.txt","name":"notes.txt","contentType":"text/plain; charset=utf-8","size":12,"width":null,"height":null,"isAnimated":false,"hasThumbnail":false,"ownerId":1,"createdAt":1795899556},"spaceUsed":12}', '1', '2026-11-28 20:59:16.766642+00', NULL);
INSERT INTO public.event_log VALUES (48, '{"type":"message","channelId":1,"conversationId":null,"userIds":null,"topic":"Autumn","senderId":1,"content":"[notes.txt](/user_uploads/1/71/canJDvuHyLF6xHUEJmrJYCjx/notes.txt)","sentAt":1795899556,"client":"node","readById":null,"queueId":null,"localId":null,"rendered":"<p><a href=\"/user_uploads/1/71/canJDvuHyLF6xHUEJmrJYCjx/notes.txt\">notes.txt</a></p>","uploadIds":[1]}', NULL, '2026-11-28 20:59:16.777205+00', NULL);
INSERT INTO public.event_log VALUES (49, '{"type":"attachment/update","upload":{"id":1,"ownerId":1,"path":"1/71/canJDvuHyLF6xHUEJmrJYCjx/notes.txt","name":"notes.txt","contentType":"text/plain; charset=utf-8","size":12,"createdAt":1795899556,"width":null,"height":null,"isAnimated":false,"hasThumbnail":false},"messages":[{"id":48,"sentAt":1795899556}],"spaceUsed":12}', '1', '2026-11-28 20:59:16.788906+00', NULL);
INSERT INTO public.event_log VALUES (50, '{"type":"channel_pins/add","channelId":1,"pin":{"messageId":24,"topic":null,"userId":1,"pinnedAt":1795947277,"receivers":"1,2,3"}}', '', '2026-11-29 10:14:37.082181+00', NULL);
INSERT INTO public.event_log VALUES (51, '{"type":"channel_pins","channelId":1,"pins":[{"id":50,"messageId":24,"topic":null}]}', '1,2,3', '2026-11-29 10:14:37.102402+00', NULL);
INSERT INTO public.event_log VALUES (52, '{"type":"named_key_made","userId":1,"key":{"id":"342e5055-135f-4068-8789-2f578267ee4a","keyHash":"27bacbd1fc99fb329f16ac6ef194dff0ad90695a903ac9dcb442b183ccd16588","tokenExpiresAt":null,"name":"Build","scope":"read","channelId":null,"createdAt":1795947277,"expiresAt":null}}', '', '2026-11-29 10:14:37.208467+00', 1);
INSERT INTO public.event_log VALUES (53, '{"type":"own_export","userId":1,"export":{"id":1,"userId":1,"kind":"own","requestedAt":1795947277,"outcome":{"phase":"pending"}}}', '1', '2026-11-29 10:14:37.321411+00', 1);
INSERT INTO public.event_log VALUES (54, '{"type":"own_export","userId":1,"export":{"id":1,"userId":1,"kind":"own","requestedAt":1795947277,"outcome":{"phase":"done","key":"5c/XJPl66HDZmDHfIpTG7Kg0Frs","bytes":3420,"doneAt":1795947278}}}', '1', '2026-11-29 10:14:38.138964+00', 0);
INSERT INTO public.event_log VALUES (55, '{"type":"own_export","userId":1,"export":{"id":1,"userId":1,"kind":"own","requestedAt":1795947277,"outcome":{"phase":"deleted","deletedAt":1795947293}}}', '1', '2026-11-29 10:14:53.038631+00', 1);
INSERT INTO public.event_log VALUES (56, '{"type":"users_seen","day":20786,"userIds":[1]}', '', '2026-11-29 10:15:01.251108+00', NULL);
INSERT INTO public.invitations VALUES (46, NULL, 1, 400, '{1}', '{}', false, NULL, 1795899556, 1796763556, 'new@example.com', '0bf0a92dc19a69f4e698046d20b342f7852bb3f52f40469ceddc21525c7cf5bd', true, NULL, NULL);
INSERT INTO public.mail_results VALUES (true, NULL, NULL, NULL);
INSERT INTO public.mails VALUES ('ca078991-0c4b-4e02-b677-916539a7af31', 'invitation', 'new@example.com', '2026-11-28 20:59:16.717186+00', NULL, 1, 46, 1, NULL, 1, NULL);
INSERT INTO public.mentions VALUES (1, 25, 8);
INSERT INTO public.message_edits VALUES (24, 26, 1, 1795899555, 'Who writes the **minutes**?', '<p>Who writes the <strong>minutes</strong>?</p>', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.message_marks VALUES (2, 24, 2);
INSERT INTO public.message_uploads VALUES (48, 1);
INSERT INTO public.messages VALUES (20, 1, NULL, 'channel events', 4, '**Public** channel created by @_**Ada|1**. **Description:**
> Our *plans*', '<p><strong>Public</strong> channel created by <span class="user-mention silent" data-user-id="1">Ada</span>. <strong>Description:</strong></p>
<blockquote>
<p>Our <em>plans</em></p>
</blockquote>', 1795899555, 'Internal', 1, NULL, false, NULL, NULL, NULL, NULL, false, NULL);
INSERT INTO public.messages VALUES (23, 2, NULL, 'channel events', 4, '**Private, protected history** channel created by @_**Ada|1**.', '<p><strong>Private, protected history</strong> channel created by <span class="user-mention silent" data-user-id="1">Ada</span>.</p>', 1795899555, 'Internal', 1, NULL, false, NULL, NULL, NULL, NULL, false, NULL);
INSERT INTO public.messages VALUES (24, 1, NULL, 'Autumn', 1, 'Who writes the **minutes** this week?', '<p>Who writes the <strong>minutes</strong> this week?</p>', 1795899555, 'node', NULL, NULL, false, NULL, NULL, 1795899555, NULL, false, NULL);
INSERT INTO public.messages VALUES (25, 1, NULL, 'Autumn', 2, 'I do, @**Ada**. See https://example.com/minutes', '<p>I do, <span class="user-mention" data-user-id="1">@Ada</span>. See <a href="https://example.com/minutes">https://example.com/minutes</a></p>', 1795899555, 'node', NULL, '[[1,8]]', false, NULL, NULL, NULL, NULL, true, NULL);
INSERT INTO public.messages VALUES (28, 1, NULL, 'Builds', 3, '```js
let built = true
```', '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code><span class="k">let</span> built = <span class="kc">true</span>
</code></pre></div>', 1795899556, 'node', NULL, NULL, false, NULL, NULL, NULL, NULL, false, NULL);
INSERT INTO public.messages VALUES (32, 2, NULL, 'Secrets', 1, 'Only for the board', '<p>Only for the board</p>', 1795899556, 'node', NULL, NULL, false, NULL, NULL, NULL, NULL, false, NULL);
INSERT INTO public.messages VALUES (33, NULL, 1, '', 2, 'A word in private', '<p>A word in private</p>', 1795899556, 'node', NULL, NULL, false, NULL, NULL, NULL, NULL, false, NULL);
INSERT INTO public.messages VALUES (48, 1, NULL, 'Autumn', 1, '[notes.txt](/user_uploads/1/71/canJDvuHyLF6xHUEJmrJYCjx/notes.txt)', '<p><a href="/user_uploads/1/71/canJDvuHyLF6xHUEJmrJYCjx/notes.txt">notes.txt</a></p>', 1795899556, 'node', NULL, NULL, false, NULL, NULL, NULL, NULL, false, NULL);
INSERT INTO public.migrations VALUES ('0001-spine.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0002-channels-and-groups.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0003-reactions.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0004-search.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0005-reading-and-edits.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0006-settings-and-drafts.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0007-status-and-presence.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0008-profile-fields.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0009-tickets.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0010-conversations-begun.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0011-images.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0012-services.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0013-organization-lists.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0014-personal-lists.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0015-generations.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0016-encoded-diffs.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0017-scheduled-messages.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0018-uploads.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0019-tus-uploads.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0020-push.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0021-video-calls.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0022-invitations.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0023-bot-storage.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0024-search-index.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0025-log-in-one-batch.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0026-log-epoch.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0027-login-addresses.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0029-empty-uploads-and-quiet-notices.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0030-bulk-writes.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0031-channel-of-moved-messages.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0032-wider-word-indexes.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0034-notices-of-channels.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0035-notices-of-users-and-groups.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0036-old-diffs.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0037-audit-log.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0041-login-sessions.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0042-mails.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0043-mails-of-accounts.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0044-login-links.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0045-second-factors.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0046-setup-links.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0047-requests-of-scheduled-messages.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0048-printed-invitations.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0049-picture-sources.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0050-handed-over-mails.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0050-second-steps-of-apps.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0051-senders-of-messages.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0052-words-in-bulk.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0055-rooms.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0056-tickets-of-users.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0057-secret-of-pictures.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0058-passkey-sessions.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0060-organization-pictures-and-desktop-log-ins.sql', '2026-11-28 20:58:15.277769+00');
INSERT INTO public.migrations VALUES ('0061-channel-pins.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0063-pending-notifications.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0064-last-activity.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0065-web-push.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0066-pushes.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0067-relay-state.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0069-results-of-mails.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0071-imports.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0071-outgoing-webhooks.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0071-webhook-secrets.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0078-mail-in.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0079-named-keys.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0080-link-previews.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0081-exports.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0082-push-marks.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0083-keys-for-messages.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0084-pending-without-user-locks.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0085-claims-of-workers.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0086-calls-of-messages.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0087-pushes-without-user-locks.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0088-scim.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0089-imports-by-owners.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0090-log-ins-of-agents.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0091-scim-groups.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0092-own-exports.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.migrations VALUES ('0093-previews-of-channels.sql', '2026-11-29 10:13:52.9025+00');
INSERT INTO public.named_keys VALUES ('342e5055-135f-4068-8789-2f578267ee4a', 1, '27bacbd1fc99fb329f16ac6ef194dff0ad90695a903ac9dcb442b183ccd16588', 'Build', 'read', NULL, 1795947277, NULL, NULL, NULL);
INSERT INTO public.organization VALUES (true, 'Old Team', 'A team since **0.1.0**', '<p>A team since <strong>0.1.0</strong></p>', 1795899504, '{"orgType": 0, "giphyRating": 0, "topicsPolicy": "allow_empty_topic", "allowsEditing": true, "digestWeekday": 1, "jitsiServerUrl": null, "defaultLanguage": "en", "hasReadReceipts": true, "presenceDisabled": false, "sendWelcomeEmails": false, "videoChatProvider": 0, "waitingPeriodDays": 0, "hasSpectatorAccess": false, "inlineImagePreview": true, "requireUniqueNames": false, "sendsChannelEvents": true, "digestEmailsEnabled": false, "moderationChannelId": null, "nameChangesDisabled": false, "defaultPictureSource": null, "emailChangesDisabled": false, "messageRetentionDays": -1, "avatarChangesDisabled": false, "editHistoryVisibility": "all", "inlineUrlEmbedPreview": false, "secondFactorGraceDays": null, "topicMoveLimitSeconds": 604800, "announcementsChannelId": null, "secondFactorRequiredAt": null, "channelMoveLimitSeconds": 604800, "contentEditLimitSeconds": 600, "defaultCodeBlockLanguage": "", "enableGuestUserDmWarning": true, "enableGuestUserIndicator": true, "welcomeMessageCustomText": "", "contentDeleteLimitSeconds": 600, "emailsRestrictedToDomains": false, "disallowDisposableEmailAddresses": false, "wantAdvertiseInCommunitiesDirectory": false, "messageContentAllowedInEmailNotifications": false}', '{"canCreateBots": 5, "canInviteUsers": 5, "canCreateGroups": 5, "canManageBilling": 2, "canResolveTopics": 6, "canAccessAllUsers": 6, "canAddCustomEmoji": 5, "canAddSubscribers": 5, "canManageAllGroups": 1, "canSetTopicsPolicy": 5, "canSummarizeTopics": 6, "canDeleteAnyMessage": 2, "canDeleteOwnMessage": 6, "canMentionManyUsers": 2, "createMultiuseInvite": 2, "canCreatePublicChannel": 5, "canCreateWriteOnlyBots": 5, "directMessageInitiator": 6, "canCreatePrivateChannel": 5, "directMessagePermission": 6, "canCreateWebPublicChannel": 1, "canSetDeleteMessagePolicy": 3, "canMoveMessagesBetweenTopics": 6, "canMoveMessagesBetweenChannels": 5}', '{}', NULL, NULL, NULL, NULL);
INSERT INTO public.organization_exports VALUES (1, 1, 'own', 1795947277, '{"phase": "deleted", "deletedAt": 1795947293}');
INSERT INTO public.organization_lists VALUES ('linkifiers', '[{"id": 1, "pattern": "#(?P<id>[0-9]+)", "urlTemplate": "https://example.com/{id}", "exampleInput": null, "reverseTemplate": null, "alternativeUrlTemplates": []}]', 1);
INSERT INTO public.reactions VALUES (25, 1, '1f389', 'unicode_emoji', 'tada', 27);
INSERT INTO public.removed_files VALUES ('5c/XJPl66HDZmDHfIpTG7Kg0Frs', '2026-11-29 10:14:53.03763+00');
INSERT INTO public.saved_snippets VALUES (45, 1, 'Hello', 'Hello all', 1795899556, 45);
INSERT INTO public.scheduled_messages VALUES (38, 2, 1, NULL, 'Autumn', 'Much later', '<p>Much later</p>', 4102444800, false, 'node', false, NULL, '', 38, NULL, 'gijmx0w855j-e', DEFAULT);
INSERT INTO public.search_index VALUES (true, 55);
INSERT INTO public.search_postings VALUES (-14, 0, '\x14001700');
INSERT INTO public.search_postings VALUES (-11, 0, '\x1c00');
INSERT INTO public.search_postings VALUES (-8, 0, '\x19002100');
INSERT INTO public.search_postings VALUES (-6, 0, '\x17002000');
INSERT INTO public.search_postings VALUES (-5, 0, '\x180020003000');
INSERT INTO public.search_postings VALUES (-4, 0, '\x2100');
INSERT INTO public.search_postings VALUES (-3, 0, '\x1400180019001c003000');
INSERT INTO public.search_postings VALUES (1, 0, '\x14001700');
INSERT INTO public.search_postings VALUES (2, 0, '\x14001700');
INSERT INTO public.search_postings VALUES (3, 0, '\x1400');
INSERT INTO public.search_postings VALUES (4, 0, '\x14001700');
INSERT INTO public.search_postings VALUES (5, 0, '\x14001700');
INSERT INTO public.search_postings VALUES (6, 0, '\x140017001900');
INSERT INTO public.search_postings VALUES (7, 0, '\x140017003000');
INSERT INTO public.search_postings VALUES (8, 0, '\x1400');
INSERT INTO public.search_postings VALUES (9, 0, '\x1400');
INSERT INTO public.search_postings VALUES (10, 0, '\x1400');
INSERT INTO public.search_postings VALUES (11, 0, '\x17002100');
INSERT INTO public.search_postings VALUES (12, 0, '\x1700');
INSERT INTO public.search_postings VALUES (13, 0, '\x1700');
INSERT INTO public.search_postings VALUES (14, 0, '\x180019003000');
INSERT INTO public.search_postings VALUES (15, 0, '\x1800');
INSERT INTO public.search_postings VALUES (16, 0, '\x1800');
INSERT INTO public.search_postings VALUES (17, 0, '\x18002000');
INSERT INTO public.search_postings VALUES (18, 0, '\x18001900');
INSERT INTO public.search_postings VALUES (19, 0, '\x1800');
INSERT INTO public.search_postings VALUES (20, 0, '\x1800');
INSERT INTO public.search_postings VALUES (21, 0, '\x1900');
INSERT INTO public.search_postings VALUES (22, 0, '\x1900');
INSERT INTO public.search_postings VALUES (23, 0, '\x1900');
INSERT INTO public.search_postings VALUES (24, 0, '\x1900');
INSERT INTO public.search_postings VALUES (25, 0, '\x1900');
INSERT INTO public.search_postings VALUES (26, 0, '\x1900');
INSERT INTO public.search_postings VALUES (27, 0, '\x1c00');
INSERT INTO public.search_postings VALUES (28, 0, '\x1c00');
INSERT INTO public.search_postings VALUES (29, 0, '\x1c00');
INSERT INTO public.search_postings VALUES (30, 0, '\x1c00');
INSERT INTO public.search_postings VALUES (31, 0, '\x1c00');
INSERT INTO public.search_postings VALUES (32, 0, '\x2000');
INSERT INTO public.search_postings VALUES (33, 0, '\x2000');
INSERT INTO public.search_postings VALUES (34, 0, '\x2000');
INSERT INTO public.search_postings VALUES (35, 0, '\x2000');
INSERT INTO public.search_postings VALUES (36, 0, '\x2100');
INSERT INTO public.search_postings VALUES (37, 0, '\x2100');
INSERT INTO public.search_postings VALUES (38, 0, '\x2100');
INSERT INTO public.search_postings VALUES (39, 0, '\x3000');
INSERT INTO public.search_postings VALUES (40, 0, '\x3000');
INSERT INTO public.search_postings VALUES (41, 0, '\x3000');
INSERT INTO public.search_postings VALUES (42, 0, '\x3000');
INSERT INTO public.search_postings VALUES (43, 0, '\x3000');
INSERT INTO public.search_postings VALUES (44, 0, '\x3000');
INSERT INTO public.search_postings VALUES (70368828063744, 0, '\x3000');
INSERT INTO public.search_postings VALUES (70368828063791, 0, '\x3000');
INSERT INTO public.search_postings VALUES (70368830160896, 0, '\x3000');
INSERT INTO public.search_postings VALUES (70368832258048, 0, '\x1400170018001900');
INSERT INTO public.search_postings VALUES (70368832258090, 0, '\x1400170018001900');
INSERT INTO public.search_postings VALUES (70368832258094, 0, '\x140017001900');
INSERT INTO public.search_postings VALUES (70368836452352, 0, '\x17001900');
INSERT INTO public.search_postings VALUES (70368840646656, 0, '\x1400170019003000');
INSERT INTO public.search_postings VALUES (70368842743808, 0, '\x19003000');
INSERT INTO public.search_postings VALUES (70368842743855, 0, '\x1900');
INSERT INTO public.search_postings VALUES (70368865812480, 0, '\x14001900');
INSERT INTO public.search_postings VALUES (70368865812522, 0, '\x1400');
INSERT INTO public.search_postings VALUES (70368865812527, 0, '\x1900');
INSERT INTO public.search_postings VALUES (70368872103936, 0, '\x1c00');
INSERT INTO public.search_postings VALUES (70368874201088, 0, '\x1400');
INSERT INTO public.search_postings VALUES (70368876298240, 0, '\x1800');
INSERT INTO public.search_postings VALUES (70368878395392, 0, '\x140017001900');
INSERT INTO public.search_postings VALUES (70368878395434, 0, '\x1900');
INSERT INTO public.search_postings VALUES (70368878395487, 0, '\x14001700');
INSERT INTO public.search_postings VALUES (70368935018496, 0, '\x3000');
INSERT INTO public.search_postings VALUES (70368939212800, 0, '\x3000');
INSERT INTO public.search_postings VALUES (70368939212840, 0, '\x3000');
INSERT INTO public.search_postings VALUES (70368943407104, 0, '\x140017003000');
INSERT INTO public.search_postings VALUES (70368943407146, 0, '\x14001700');
INSERT INTO public.search_postings VALUES (70368945504256, 0, '\x1c00');
INSERT INTO public.search_postings VALUES (70368945504352, 0, '\x1c00');
INSERT INTO public.search_postings VALUES (70369004224512, 0, '\x14001700');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (1, 'channel');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (2, 'events');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (3, 'public');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (4, 'created');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (5, 'by');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (6, 'ada');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (7, '1');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (8, 'description');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (9, 'our');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (10, 'plans');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (11, 'private');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (12, 'protected');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (13, 'history');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (14, 'autumn');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (15, 'who');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (16, 'writes');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (17, 'the');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (18, 'minutes');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (19, 'this');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (20, 'week');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (21, 'i');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (22, 'do');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (23, 'see');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (24, 'https');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (25, 'example');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (26, 'com');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (27, 'builds');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (28, 'js');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (29, 'let');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (30, 'built');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (31, 'true');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (32, 'secrets');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (33, 'only');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (34, 'for');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (35, 'board');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (36, 'a');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (37, 'word');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (38, 'in');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (39, 'notes');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (40, 'txt');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (41, 'user');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (42, 'uploads');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (43, '71');
INSERT INTO public.search_words OVERRIDING SYSTEM VALUE VALUES (44, 'canjdvuhylf6xhuejmrjycjx');
INSERT INTO public.subscription_spans VALUES (1, 1, 17, NULL);
INSERT INTO public.subscription_spans VALUES (1, 2, 17, NULL);
INSERT INTO public.subscription_spans VALUES (1, 3, 17, NULL);
INSERT INTO public.subscription_spans VALUES (2, 1, 22, NULL);
INSERT INTO public.upload_secrets VALUES (true, '\xa4bdb283a5f64efeb13f9c9a612b31a49b2377483e0d40709aecead0c66bbd3c', '\xa4bdb283a5f64efeb13f9c9a612b31a49b2377483e0d40709aecead0c66bbd3c');
INSERT INTO public.uploads VALUES (1, 1, '1/71/canJDvuHyLF6xHUEJmrJYCjx/notes.txt', 'notes.txt', 'text/plain; charset=utf-8', 12, '2026-11-28 20:59:16+00', NULL, NULL, false, false, 'whole');
INSERT INTO public.user_group_members VALUES (1, 1);
INSERT INTO public.user_group_members VALUES (4, 2);
INSERT INTO public.user_group_members VALUES (5, 2);
INSERT INTO public.user_group_members VALUES (4, 3);
INSERT INTO public.user_group_members VALUES (5, 3);
INSERT INTO public.user_group_members VALUES (9, 1);
INSERT INTO public.user_group_members VALUES (9, 2);
INSERT INTO public.user_group_subgroups VALUES (2, 1);
INSERT INTO public.user_group_subgroups VALUES (3, 2);
INSERT INTO public.user_group_subgroups VALUES (4, 3);
INSERT INTO public.user_group_subgroups VALUES (5, 4);
INSERT INTO public.user_group_subgroups VALUES (6, 5);
INSERT INTO public.user_group_subgroups VALUES (7, 6);
INSERT INTO public.user_groups VALUES (1, 'role:owners', 'Owners of this organization', NULL, NULL, true, false, '{"canAddMembers":8,"canJoin":8,"canLeave":8,"canManage":8,"canMention":8,"canRemoveMembers":8}');
INSERT INTO public.user_groups VALUES (2, 'role:administrators', 'Administrators of this organization, including owners', NULL, NULL, true, false, '{"canAddMembers":8,"canJoin":8,"canLeave":8,"canManage":8,"canMention":8,"canRemoveMembers":8}');
INSERT INTO public.user_groups VALUES (3, 'role:moderators', 'Moderators of this organization, including administrators', NULL, NULL, true, false, '{"canAddMembers":8,"canJoin":8,"canLeave":8,"canManage":8,"canMention":8,"canRemoveMembers":8}');
INSERT INTO public.user_groups VALUES (4, 'role:fullmembers', 'Members of this organization, not including new accounts and guests', NULL, NULL, true, false, '{"canAddMembers":8,"canJoin":8,"canLeave":8,"canManage":8,"canMention":8,"canRemoveMembers":8}');
INSERT INTO public.user_groups VALUES (5, 'role:members', 'Members of this organization, not including guests', NULL, NULL, true, false, '{"canAddMembers":8,"canJoin":8,"canLeave":8,"canManage":8,"canMention":8,"canRemoveMembers":8}');
INSERT INTO public.user_groups VALUES (6, 'role:everyone', 'Everyone in this organization, including guests', NULL, NULL, true, false, '{"canAddMembers":8,"canJoin":8,"canLeave":8,"canManage":8,"canMention":8,"canRemoveMembers":8}');
INSERT INTO public.user_groups VALUES (7, 'role:internet', 'Everyone on the Internet', NULL, NULL, true, false, '{"canAddMembers":8,"canJoin":8,"canLeave":8,"canManage":8,"canMention":8,"canRemoveMembers":8}');
INSERT INTO public.user_groups VALUES (8, 'role:nobody', 'Nobody', NULL, NULL, true, false, '{"canAddMembers":8,"canJoin":8,"canLeave":8,"canManage":8,"canMention":8,"canRemoveMembers":8}');
INSERT INTO public.user_groups VALUES (9, 'writers', 'People who write', 1, 1795899556, false, false, '{"canJoin": 8, "canLeave": 6, "canManage": {"directMembers": [1], "directSubgroups": []}, "canMention": 6, "canAddMembers": {"directMembers": [1], "directSubgroups": []}, "canRemoveMembers": 8}');
INSERT INTO public.user_topics VALUES (1, 1, 'Builds', 1, 1795899556);
INSERT INTO public.users VALUES (3, 'ci-bot@example.com', 'CI', 400, true, 1, 1, '', 1795899527, 1, '{fc9feafa3bcee53347feaccc6200b274c5da74340d71e4783a78fe403585d3f3}', NULL, false, NULL, '{}', NULL, false, NULL);
INSERT INTO public.users VALUES (4, 'notification-bot@127.0.0.1', 'Notification Bot', 400, true, 1, NULL, '', 1795899555, 1, '{}', NULL, true, NULL, '{}', NULL, false, NULL);
INSERT INTO public.users VALUES (2, 'grace@example.com', 'Grace', 400, true, NULL, NULL, '', 1795899521, 1, '{03906a9a0d9ae4afb433b0e572615d18e8d280b18d5c8e8844efa10422d261c3}', 'scrypt$65536$8$2$eJt3NLc2deb5tohxaMI9xQ==$R1OSfPn+Ixsl5FxSGlkXDl16/1fwrVIynML3jwvBDyM=', false, NULL, '{"enableSounds": false}', NULL, false, NULL);
INSERT INTO public.users VALUES (1, 'ada@example.com', 'Ada', 100, true, NULL, NULL, '', 1795899514, 1, '{339836897d2a51aef8adb2f99b2814ac99c7054a7fd69fd2248ea559305ba4b9}', 'scrypt$65536$8$2$8cCI7CaKWHy0cVXCtZatDA==$WV/SuiYeqRwFcEiTWxrOt1Ju21C2gYF1ZpCIjxGRojQ=', false, 20786, '{}', NULL, false, NULL);
SELECT pg_catalog.setval('public.conversations_id_seq', 1, true);
SELECT pg_catalog.setval('public.pushes_id_seq', 1, false);
SELECT pg_catalog.setval('public.search_changes_key_seq', 2, true);
SELECT pg_catalog.setval('public.search_words_id_seq', 44, true);
SELECT pg_catalog.setval('public.uploads_id_seq', 2, true);
ALTER TABLE ONLY public.address_changes
    ADD CONSTRAINT address_changes_former_hash_key UNIQUE (former_hash);
ALTER TABLE ONLY public.address_changes
    ADD CONSTRAINT address_changes_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.address_changes
    ADD CONSTRAINT address_changes_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.agent_grants
    ADD CONSTRAINT agent_grants_code_hash_key UNIQUE (code_hash);
ALTER TABLE ONLY public.agent_grants
    ADD CONSTRAINT agent_grants_former_refresh_hash_key UNIQUE (former_refresh_hash);
ALTER TABLE ONLY public.agent_grants
    ADD CONSTRAINT agent_grants_pkey PRIMARY KEY (key_id);
ALTER TABLE ONLY public.agent_grants
    ADD CONSTRAINT agent_grants_refresh_hash_key UNIQUE (refresh_hash);
ALTER TABLE ONLY public.alert_words
    ADD CONSTRAINT alert_words_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bot_setups
    ADD CONSTRAINT bot_setups_pkey PRIMARY KEY (bot_id);
ALTER TABLE ONLY public.bot_storage
    ADD CONSTRAINT bot_storage_pkey PRIMARY KEY (bot_id, key);
ALTER TABLE ONLY public.call_messages
    ADD CONSTRAINT call_messages_pkey PRIMARY KEY (message_id);
ALTER TABLE ONLY public.channel_folders
    ADD CONSTRAINT channel_folders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.channel_pins
    ADD CONSTRAINT channel_pins_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.client_devices
    ADD CONSTRAINT client_devices_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_user_ids_key UNIQUE (user_ids);
ALTER TABLE ONLY public.custom_emoji
    ADD CONSTRAINT custom_emoji_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.desktop_logins
    ADD CONSTRAINT desktop_logins_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.email_domains
    ADD CONSTRAINT email_domains_domain_key UNIQUE (domain);
ALTER TABLE ONLY public.email_domains
    ADD CONSTRAINT email_domains_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.event_counter
    ADD CONSTRAINT event_counter_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.event_log
    ADD CONSTRAINT event_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.event_queues
    ADD CONSTRAINT event_queues_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.export_work
    ADD CONSTRAINT export_work_pkey PRIMARY KEY (export_id);
ALTER TABLE ONLY public.factor_tries
    ADD CONSTRAINT factor_tries_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.half_logins
    ADD CONSTRAINT half_logins_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.imported_ids
    ADD CONSTRAINT imported_ids_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_former_hash_key UNIQUE (former_hash);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_key_key UNIQUE (key);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_printed_hash_key UNIQUE (printed_hash);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.joinings
    ADD CONSTRAINT joinings_former_hash_key UNIQUE (former_hash);
ALTER TABLE ONLY public.joinings
    ADD CONSTRAINT joinings_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.last_activity
    ADD CONSTRAINT last_activity_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.link_previews
    ADD CONSTRAINT link_previews_pkey PRIMARY KEY (url_hash);
ALTER TABLE ONLY public.login_addresses
    ADD CONSTRAINT login_addresses_pkey PRIMARY KEY (user_id, address_hash);
ALTER TABLE ONLY public.login_devices
    ADD CONSTRAINT login_devices_pkey PRIMARY KEY (user_id, device_hash);
ALTER TABLE ONLY public.login_links
    ADD CONSTRAINT login_links_pkey PRIMARY KEY (issuer, subject);
ALTER TABLE ONLY public.login_links
    ADD CONSTRAINT login_links_user_id_issuer_key UNIQUE (user_id, issuer);
ALTER TABLE ONLY public.login_sessions
    ADD CONSTRAINT login_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mail_results
    ADD CONSTRAINT mail_results_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mentions
    ADD CONSTRAINT mentions_pkey PRIMARY KEY (user_id, message_id);
ALTER TABLE ONLY public.message_edits
    ADD CONSTRAINT message_edits_pkey PRIMARY KEY (message_id, id);
ALTER TABLE ONLY public.message_marks
    ADD CONSTRAINT message_marks_pkey PRIMARY KEY (user_id, message_id);
ALTER TABLE ONLY public.message_sends
    ADD CONSTRAINT message_sends_pkey PRIMARY KEY (sender_id, queue_id, local_id);
ALTER TABLE ONLY public.message_uploads
    ADD CONSTRAINT message_uploads_pkey PRIMARY KEY (message_id, upload_id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.mutings
    ADD CONSTRAINT mutings_pkey PRIMARY KEY (user_id, muted_id, from_id);
ALTER TABLE ONLY public.named_keys
    ADD CONSTRAINT named_keys_key_hash_key UNIQUE (key_hash);
ALTER TABLE ONLY public.named_keys
    ADD CONSTRAINT named_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.navigation_views
    ADD CONSTRAINT navigation_views_pkey PRIMARY KEY (user_id, fragment);
ALTER TABLE ONLY public.organization_exports
    ADD CONSTRAINT organization_exports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.organization_imports
    ADD CONSTRAINT organization_imports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.organization_lists
    ADD CONSTRAINT organization_lists_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.outgoing_webhooks
    ADD CONSTRAINT outgoing_webhooks_pkey PRIMARY KEY (bot_id);
ALTER TABLE ONLY public.passkey_challenges
    ADD CONSTRAINT passkey_challenges_pkey PRIMARY KEY (browser_hash);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_former_hash_key UNIQUE (former_hash);
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.pending_notifications
    ADD CONSTRAINT pending_notifications_pkey PRIMARY KEY (way, user_id, message_id);
ALTER TABLE ONLY public.pictures
    ADD CONSTRAINT pictures_pkey PRIMARY KEY (id, variant);
ALTER TABLE ONLY public.preview_pictures
    ADD CONSTRAINT preview_pictures_pkey PRIMARY KEY (message_id, picture_id);
ALTER TABLE ONLY public.profile_fields
    ADD CONSTRAINT profile_fields_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.profile_values
    ADD CONSTRAINT profile_values_pkey PRIMARY KEY (user_id, field_id);
ALTER TABLE ONLY public.provider_tokens
    ADD CONSTRAINT provider_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.push_tests
    ADD CONSTRAINT push_tests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.push_tokens
    ADD CONSTRAINT push_tokens_pkey PRIMARY KEY (user_id, kind, token);
ALTER TABLE ONLY public.pushes
    ADD CONSTRAINT pushes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reactions
    ADD CONSTRAINT reactions_pkey PRIMARY KEY (message_id, user_id, emoji_code, reaction_type);
ALTER TABLE ONLY public.read_marks
    ADD CONSTRAINT read_marks_pkey PRIMARY KEY (user_id, place);
ALTER TABLE ONLY public.received_mails
    ADD CONSTRAINT received_mails_mark_key UNIQUE (mark);
ALTER TABLE ONLY public.received_mails
    ADD CONSTRAINT received_mails_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash);
ALTER TABLE ONLY public.relay_state
    ADD CONSTRAINT relay_state_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY public.removed_files
    ADD CONSTRAINT removed_files_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.reply_tokens
    ADD CONSTRAINT reply_tokens_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.saved_snippets
    ADD CONSTRAINT saved_snippets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.scheduled_messages
    ADD CONSTRAINT scheduled_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.scim_groups
    ADD CONSTRAINT scim_groups_pkey PRIMARY KEY (group_id);
ALTER TABLE ONLY public.scim_tokens
    ADD CONSTRAINT scim_tokens_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY public.scim_users
    ADD CONSTRAINT scim_users_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.search_changes
    ADD CONSTRAINT search_changes_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.search_index
    ADD CONSTRAINT search_index_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.search_postings
    ADD CONSTRAINT search_postings_pkey PRIMARY KEY (term, block);
ALTER TABLE ONLY public.search_words
    ADD CONSTRAINT search_words_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.search_words
    ADD CONSTRAINT search_words_word_key UNIQUE (word);
ALTER TABLE ONLY public.setup_links
    ADD CONSTRAINT setup_links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.submessages
    ADD CONSTRAINT submessages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.subscription_settings
    ADD CONSTRAINT subscription_settings_pkey PRIMARY KEY (user_id, channel_id);
ALTER TABLE ONLY public.subscription_spans
    ADD CONSTRAINT subscription_spans_pkey PRIMARY KEY (channel_id, user_id, from_id);
ALTER TABLE ONLY public.tickets
    ADD CONSTRAINT tickets_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.time_breaks
    ADD CONSTRAINT time_breaks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.totp_factors
    ADD CONSTRAINT totp_factors_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.tus_uploads
    ADD CONSTRAINT tus_uploads_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.upload_secrets
    ADD CONSTRAINT upload_secrets_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_path_key UNIQUE (path);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.user_group_members
    ADD CONSTRAINT user_group_members_pkey PRIMARY KEY (group_id, user_id);
ALTER TABLE ONLY public.user_group_subgroups
    ADD CONSTRAINT user_group_subgroups_pkey PRIMARY KEY (group_id, subgroup_id);
ALTER TABLE ONLY public.user_groups
    ADD CONSTRAINT user_groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.user_statuses
    ADD CONSTRAINT user_statuses_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.waiting_previews
    ADD CONSTRAINT waiting_previews_pkey PRIMARY KEY (message_id);
ALTER TABLE ONLY public.web_push_keys
    ADD CONSTRAINT web_push_keys_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY public.web_push_subscriptions
    ADD CONSTRAINT web_push_subscriptions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.web_push_subscriptions
    ADD CONSTRAINT web_push_subscriptions_user_id_endpoint_key UNIQUE (user_id, endpoint);
ALTER TABLE ONLY public.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (id);
CREATE INDEX agent_grants_users ON public.agent_grants USING btree (user_id);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor_id, id);
CREATE INDEX audit_log_logged_at ON public.audit_log USING brin (logged_at);
CREATE INDEX call_messages_due ON public.call_messages USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX call_messages_room ON public.call_messages USING btree (room);
CREATE INDEX channel_pins_channel ON public.channel_pins USING btree (channel_id, id);
CREATE INDEX channel_pins_user ON public.channel_pins USING btree (user_id);
CREATE UNIQUE INDEX channels_name ON public.channels USING btree (lower(name));
CREATE INDEX client_devices_due ON public.client_devices USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX client_devices_user ON public.client_devices USING btree (user_id, id);
CREATE INDEX conversations_user ON public.conversations USING gin (user_ids);
CREATE UNIQUE INDEX custom_emoji_name ON public.custom_emoji USING btree (name) WHERE (NOT is_deactivated);
CREATE INDEX desktop_logins_expires_at ON public.desktop_logins USING btree (expires_at);
CREATE INDEX drafts_user ON public.drafts USING btree (user_id, id);
CREATE INDEX event_log_audited ON public.event_log USING btree (id) WHERE (actor_id IS NOT NULL);
CREATE INDEX event_log_logged_at ON public.event_log USING brin (logged_at);
CREATE INDEX event_queues_user ON public.event_queues USING btree (user_id);
CREATE INDEX half_logins_by_end ON public.half_logins USING btree (expires_at);
CREATE INDEX invitations_emails ON public.invitations USING btree (lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX invitations_inviter ON public.invitations USING btree (inviter_id, id);
CREATE UNIQUE INDEX joinings_emails ON public.joinings USING btree (lower(email));
CREATE INDEX joinings_invitations ON public.joinings USING btree (invitation_id);
CREATE INDEX link_previews_expire ON public.link_previews USING btree (expires_at);
CREATE INDEX link_previews_pictures ON public.link_previews USING btree (picture_id) WHERE (picture_id IS NOT NULL);
CREATE INDEX login_sessions_by_use ON public.login_sessions USING btree (seen_at);
CREATE INDEX login_sessions_of_users ON public.login_sessions USING btree (user_id);
CREATE INDEX mails_due ON public.mails USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX mails_kinds ON public.mails USING btree (kind, asked_at);
CREATE INDEX mails_pending ON public.mails USING btree (kind) WHERE (due_at IS NOT NULL);
CREATE INDEX mails_recipient ON public.mails USING btree (lower(recipient), asked_at);
CREATE INDEX mails_users ON public.mails USING btree (user_id, kind, asked_at) WHERE (user_id IS NOT NULL);
CREATE INDEX mentions_message ON public.mentions USING btree (message_id);
CREATE INDEX message_edits_diffs ON public.message_edits USING btree (edited_at) WHERE (encoded_diff IS NOT NULL);
CREATE INDEX message_marks_message ON public.message_marks USING btree (message_id);
CREATE INDEX message_sends_message ON public.message_sends USING btree (message_id);
CREATE INDEX message_uploads_upload ON public.message_uploads USING btree (upload_id);
CREATE INDEX messages_channel ON public.messages USING btree (channel_id, id) WHERE (channel_id IS NOT NULL);
CREATE INDEX messages_conversation ON public.messages USING btree (conversation_id, id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX messages_for_all ON public.messages USING btree (id) WHERE is_for_all;
CREATE INDEX messages_placed ON public.messages USING btree (channel_id, placed_id) WHERE (placed_id IS NOT NULL);
CREATE INDEX messages_sender ON public.messages USING btree (sender_id, id);
CREATE INDEX messages_sent_at ON public.messages USING brin (sent_at);
CREATE INDEX messages_topic ON public.messages USING btree (channel_id, lower(topic), id) WHERE (channel_id IS NOT NULL);
CREATE INDEX mutings_muted ON public.mutings USING btree (muted_id, user_id);
CREATE UNIQUE INDEX mutings_now ON public.mutings USING btree (user_id, muted_id) WHERE (until_id IS NULL);
CREATE INDEX named_keys_expire ON public.named_keys USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX named_keys_users ON public.named_keys USING btree (user_id);
CREATE INDEX passkey_challenges_by_end ON public.passkey_challenges USING btree (expires_at);
CREATE INDEX passkeys_of_users ON public.passkeys USING btree (user_id);
CREATE INDEX pending_notifications_due ON public.pending_notifications USING btree (way, due_at);
CREATE INDEX pending_notifications_message ON public.pending_notifications USING btree (message_id);
CREATE INDEX pictures_stored_at ON public.pictures USING btree (stored_at);
CREATE INDEX preview_pictures_pictures ON public.preview_pictures USING btree (picture_id);
CREATE INDEX profile_values_field ON public.profile_values USING btree (field_id);
CREATE UNIQUE INDEX provider_tokens_current ON public.provider_tokens USING btree (user_id) WHERE is_current;
CREATE INDEX provider_tokens_user ON public.provider_tokens USING btree (user_id);
CREATE INDEX push_tests_user ON public.push_tests USING btree (user_id, expires_at);
CREATE INDEX push_tokens_due ON public.push_tokens USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX pushes_due ON public.pushes USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX pushes_message ON public.pushes USING btree (message_id);
CREATE INDEX pushes_subscription ON public.pushes USING btree (subscription_id);
CREATE UNIQUE INDEX pushes_target ON public.pushes USING btree (user_id, message_id, COALESCE(subscription_id, (0)::bigint));
CREATE INDEX read_marks_place ON public.read_marks USING btree (place);
CREATE INDEX received_mails_done ON public.received_mails USING btree (received_at) WHERE (due_at IS NULL);
CREATE INDEX received_mails_due ON public.received_mails USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX received_mails_recipients ON public.received_mails USING btree (recipient, received_at);
CREATE INDEX reply_tokens_expire ON public.reply_tokens USING btree (expires_at);
CREATE INDEX reply_tokens_users ON public.reply_tokens USING btree (user_id, created_at);
CREATE INDEX saved_snippets_user ON public.saved_snippets USING btree (user_id, id);
CREATE INDEX scheduled_messages_due ON public.scheduled_messages USING btree (deliver_at, id) WHERE ((sent_id IS NULL) AND (NOT has_failed));
CREATE INDEX scheduled_messages_sent ON public.scheduled_messages USING btree (sent_id) WHERE (sent_id IS NOT NULL);
CREATE INDEX scheduled_messages_user ON public.scheduled_messages USING btree (user_id, deliver_at, id) WHERE (sent_id IS NULL);
CREATE INDEX scim_users_external ON public.scim_users USING btree (external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX scim_users_gone ON public.scim_users USING btree (user_id) WHERE is_gone;
CREATE UNIQUE INDEX scim_users_key ON public.scim_users USING btree (user_key) WHERE (NOT is_gone);
CREATE INDEX search_changes_message ON public.search_changes USING btree (message_id) WHERE (NOT is_removed);
CREATE INDEX search_words_grams ON public.search_words USING gin (public.search_grams(word)) WITH (fastupdate='on');
CREATE INDEX search_words_length ON public.search_words USING btree (char_length(word), word) INCLUDE (id);
CREATE INDEX search_words_reversed ON public.search_words USING btree (char_length(word), reverse(word)) INCLUDE (word, id);
CREATE INDEX submessages_message ON public.submessages USING btree (message_id);
CREATE UNIQUE INDEX subscription_spans_current ON public.subscription_spans USING btree (channel_id, user_id) WHERE (until_id IS NULL);
CREATE INDEX subscription_spans_user ON public.subscription_spans USING btree (user_id);
CREATE INDEX tickets_expiry ON public.tickets USING btree (expires_at);
CREATE INDEX tus_uploads_created ON public.tus_uploads USING btree (created_at);
CREATE INDEX tus_uploads_owner ON public.tus_uploads USING btree (owner_id) WHERE (reply IS NULL);
CREATE INDEX uploads_created ON public.uploads USING btree (created_at);
CREATE UNIQUE INDEX uploads_key ON public.uploads USING btree ((((split_part(path, '/'::text, 2) || '/'::text) || split_part(path, '/'::text, 3))));
CREATE INDEX uploads_owner ON public.uploads USING btree (owner_id, id) WHERE (state = 'whole'::text);
CREATE UNIQUE INDEX user_groups_name ON public.user_groups USING btree (lower(name));
CREATE UNIQUE INDEX user_topics_topic ON public.user_topics USING btree (user_id, channel_id, lower(topic));
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));
CREATE INDEX waiting_previews_due ON public.waiting_previews USING btree (due_at);
CREATE INDEX web_push_subscriptions_endpoint ON public.web_push_subscriptions USING btree (endpoint);
CREATE INDEX web_push_subscriptions_session ON public.web_push_subscriptions USING btree (session_id);
CREATE TRIGGER messages_changed AFTER UPDATE ON public.messages REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION public.note_messages_changed();
CREATE TRIGGER messages_deleted AFTER DELETE ON public.messages REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.note_messages_deleted();
CREATE TRIGGER reactions_part AFTER INSERT ON public.reactions FOR EACH ROW EXECUTE FUNCTION public.note_part();
CREATE TRIGGER submessages_part AFTER INSERT ON public.submessages FOR EACH ROW EXECUTE FUNCTION public.note_part();
ALTER TABLE ONLY public.address_changes
    ADD CONSTRAINT address_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.agent_grants
    ADD CONSTRAINT agent_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.alert_words
    ADD CONSTRAINT alert_words_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.bot_setups
    ADD CONSTRAINT bot_setups_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.bot_setups
    ADD CONSTRAINT bot_setups_events_channel_id_fkey FOREIGN KEY (events_channel_id) REFERENCES public.channels(id);
ALTER TABLE ONLY public.bot_setups
    ADD CONSTRAINT bot_setups_sending_channel_id_fkey FOREIGN KEY (sending_channel_id) REFERENCES public.channels(id);
ALTER TABLE ONLY public.bot_storage
    ADD CONSTRAINT bot_storage_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.call_messages
    ADD CONSTRAINT call_messages_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.channel_folders
    ADD CONSTRAINT channel_folders_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.channel_pins
    ADD CONSTRAINT channel_pins_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES public.channels(id);
ALTER TABLE ONLY public.channel_pins
    ADD CONSTRAINT channel_pins_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES public.channel_folders(id);
ALTER TABLE ONLY public.client_devices
    ADD CONSTRAINT client_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.custom_emoji
    ADD CONSTRAINT custom_emoji_author_id_fkey FOREIGN KEY (author_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.desktop_logins
    ADD CONSTRAINT desktop_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES public.channels(id);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.event_queues
    ADD CONSTRAINT event_queues_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.export_work
    ADD CONSTRAINT export_work_export_id_fkey FOREIGN KEY (export_id) REFERENCES public.organization_exports(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.factor_tries
    ADD CONSTRAINT factor_tries_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.half_logins
    ADD CONSTRAINT half_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.joinings
    ADD CONSTRAINT joinings_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES public.invitations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.last_activity
    ADD CONSTRAINT last_activity_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.login_addresses
    ADD CONSTRAINT login_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.login_devices
    ADD CONSTRAINT login_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.login_links
    ADD CONSTRAINT login_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.login_sessions
    ADD CONSTRAINT login_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.mentions
    ADD CONSTRAINT mentions_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.message_uploads
    ADD CONSTRAINT message_uploads_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.message_uploads
    ADD CONSTRAINT message_uploads_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES public.uploads(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.conversations(id);
ALTER TABLE ONLY public.mutings
    ADD CONSTRAINT mutings_muted_id_fkey FOREIGN KEY (muted_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.mutings
    ADD CONSTRAINT mutings_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.named_keys
    ADD CONSTRAINT named_keys_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES public.channels(id);
ALTER TABLE ONLY public.named_keys
    ADD CONSTRAINT named_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.navigation_views
    ADD CONSTRAINT navigation_views_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.organization_exports
    ADD CONSTRAINT organization_exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.organization_imports
    ADD CONSTRAINT organization_imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.outgoing_webhooks
    ADD CONSTRAINT outgoing_webhooks_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.passkey_challenges
    ADD CONSTRAINT passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.password_resets
    ADD CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.preview_pictures
    ADD CONSTRAINT preview_pictures_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.profile_values
    ADD CONSTRAINT profile_values_field_id_fkey FOREIGN KEY (field_id) REFERENCES public.profile_fields(id);
ALTER TABLE ONLY public.profile_values
    ADD CONSTRAINT profile_values_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.provider_tokens
    ADD CONSTRAINT provider_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.push_tests
    ADD CONSTRAINT push_tests_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.push_tokens
    ADD CONSTRAINT push_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.pushes
    ADD CONSTRAINT pushes_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.web_push_subscriptions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.reactions
    ADD CONSTRAINT reactions_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.reactions
    ADD CONSTRAINT reactions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.read_marks
    ADD CONSTRAINT read_marks_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.reply_tokens
    ADD CONSTRAINT reply_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.saved_snippets
    ADD CONSTRAINT saved_snippets_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.scheduled_messages
    ADD CONSTRAINT scheduled_messages_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES public.channels(id);
ALTER TABLE ONLY public.scheduled_messages
    ADD CONSTRAINT scheduled_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.scim_groups
    ADD CONSTRAINT scim_groups_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.user_groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.scim_users
    ADD CONSTRAINT scim_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.submessages
    ADD CONSTRAINT submessages_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.submessages
    ADD CONSTRAINT submessages_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.subscription_settings
    ADD CONSTRAINT subscription_settings_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES public.channels(id);
ALTER TABLE ONLY public.subscription_settings
    ADD CONSTRAINT subscription_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.tickets
    ADD CONSTRAINT tickets_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.totp_factors
    ADD CONSTRAINT totp_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tus_uploads
    ADD CONSTRAINT tus_uploads_import_id_fkey FOREIGN KEY (import_id) REFERENCES public.organization_imports(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tus_uploads
    ADD CONSTRAINT tus_uploads_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.user_group_subgroups
    ADD CONSTRAINT user_group_subgroups_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.user_groups(id);
ALTER TABLE ONLY public.user_group_subgroups
    ADD CONSTRAINT user_group_subgroups_subgroup_id_fkey FOREIGN KEY (subgroup_id) REFERENCES public.user_groups(id);
ALTER TABLE ONLY public.user_groups
    ADD CONSTRAINT user_groups_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.user_statuses
    ADD CONSTRAINT user_statuses_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.user_topics
    ADD CONSTRAINT user_topics_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES public.channels(id);
ALTER TABLE ONLY public.user_topics
    ADD CONSTRAINT user_topics_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_bot_owner_id_fkey FOREIGN KEY (bot_owner_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.waiting_previews
    ADD CONSTRAINT waiting_previews_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.web_push_subscriptions
    ADD CONSTRAINT web_push_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.login_sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.web_push_subscriptions
    ADD CONSTRAINT web_push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
