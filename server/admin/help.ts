/** The help text of the admin command line. */

import { PASSWORD_LENGTH_MIN } from '../domain/limits.ts'

/** The output of `--help`. */
export const HELP = `Administers a Parley server, running or not. Running servers apply a change at once.

  npm run -s admin -- COMMAND [OPTIONS]

  organization create --name NAME [--description MARKDOWN]
      Creates the one organization; prints {"name","description"}.
  organization create --instead-of-demo
      Creates a link for setting up the organization in a browser, once and within a day; no start creates the demo
      then. Prints {"setup_url","expires_at"}; the address is that of PUBLIC_URL, or else of HOST and PORT.
  user create --email ADDRESS --name NAME --role ROLE [--password-stdin | --bot --owner ADDRESS]
      Creates a person, or a bot that a person owns; prints {"user_id","email","api_key"}.
      ROLE is owner, administrator, moderator, member or guest. With --password-stdin the first line of the standard
      input is the password, at least ${PASSWORD_LENGTH_MIN} characters; without one the API key is the only way in.
  user invite ADDRESS [--role ROLE] [--channels NAME[,NAME…]] [--by ADDRESS]
      Emails an invitation, as POST /invites does; prints {"email","role","invited_by","invite_link","expires_at"}.
      By default the role is member, and the channels are the default ones. --by names the person who invites, whose
      rights apply: by default an owner. The printed link and the one in the email both lead to the one account, for
      that address alone, so give it only to its holder.
  user list
      Prints an array of {"user_id","email","full_name","role","is_bot","is_active"}.
  user deactivate --email ADDRESS
      Ends all access of a person and of their bots, or of a bot; prints the user as in the list.
  user rotate-key --email ADDRESS
      Makes a new API key the only valid one, and ends all sessions; prints {"user_id","email","api_key"}.
  user end-sessions --email ADDRESS
      Logs a person out of every browser; prints {"user_id","email","ended"}. API keys stay valid.
  user reset-factors --email ADDRESS
      Removes the authenticator app, recovery codes and passkeys of a person who lost them, and ends all sessions;
      prints {"user_id","email","ended"}. The password stays.
  user set-role --email ADDRESS --role ROLE
      Gives a person or a bot another role, lowers a person's bots with it, and ends their sessions; prints the user
      as in the list. API keys stay valid, with the rights of the new role.
  user set-password --email ADDRESS
      Sets the password of a person, and ends all of their log-ins; prints {"user_id","email"}. The password is the
      first line of the standard input, where no list of processes shows it.
  ldap sync [--dry-run] [--deactivate-many]
      Brings accounts up to the company's directory, as the worker does each LDAP_SYNC_MINUTES: names, addresses, roles
      and groups; and deactivates those of people who left it, but not more than a tenth at once, or three, without
      --deactivate-many. --dry-run says what it would do, except for roles and groups. Prints {"is_dry","people",
      "accounts","joined","new_names","new_addresses","taken_addresses","deactivated","kept_active"}; exit code 1 if
      people who left stay active. See docs/directory.md.
  scim token
      Makes the token with which the company's provider of identities writes accounts and groups by SCIM; the former one
      ends at once. Prints {"base_url","token"}; the token is shown this once. See docs/scim.md.
  scim off
      Ends that token: accounts and groups stay as they are. Prints {"ended"}, whether there was one.
  keys rotate [--only KIND[,KIND…]]
      For when someone may have read keys, as in a lost backup: replaces the secret that signs addresses of files, and
      those of invitations, and the key of web push; ends API keys of people and of bots, all sessions, links in
      emails, subscriptions to web push, and the token of SCIM. KIND is addresses, invitations, api-keys, bot-keys,
      sessions, links, push or scim. Prints how many of each. See docs/keys.md.
  audit list [--user ADDRESS] [--kind KIND[,KIND…]] [--since DATE] [--until DATE] [--before ID] [--limit NUMBER]
      Prints who changed what and when, the newest first, as an array of {"id","timestamp","actor",
      "acting_user_id","kind","details","acting_user"}; 100 entries by default.
  files move --to store|folder [--keep]
      Moves all uploaded files between DATA_DIR and the object store of FILES_URL, beside running servers that
      have FILES_URL; may be stopped and repeated. --keep leaves the originals. Prints {"to","moved","bytes",
      "there","failed"}: failed lists files that stay where they are, and makes the exit code 1.
  import slack|mattermost|rocket-chat|discord|zulip|parley FILE [--dry-run] [--fetch-files] [--keep-roles]
      [--json REPORT] [--channel THERE=HERE]...
      Brings people, channels, messages and files of another product's export, or an export of Parley itself, into
      the organization, beside running servers; may be stopped and repeated, and adds only what is new. FILE may be
      a folder. --dry-run says what would come over, what is taken here, how long and how much disk; it
      also works without a database. --channel names a channel here, and brings it into the one of that name if there is
      one; without it a taken name gets the product's behind it. --fetch-files fetches files and pictures
      of which the archive of Slack or Discord has only the address. --keep-roles makes new accounts owners,
      administrators and moderators as they were. --keep-settings, of Parley and Zulip, gives the organization here the name,
      settings, permissions, linkifiers and default channels of that one. --json writes a report for each channel, with what was left out.
      Prints {"product","file","seconds","users","groups","channels","messages","already_imported","topics",
      "reactions","files_as_links","files","left_out"}. See docs/import.md.
  export FILE [--public | --consented | --person ADDRESS | --channel NAME | --hold NAME]
      Writes people, channels, messages and files into a zip, beside running servers: everything, or as administrators
      can, what is public, or also private data of people who allow it; or the own data of one person;
      or the pages of one channel, which open without a server; or all that a legal hold holds, also deleted messages
      and files. Prints {"file","contents","bytes","users","channels","messages","files","missing_files"}, for a hold
      also "kept_messages"; exit code 1 if files are missing. See docs/export.md and docs/legal-hold.md.
  backup FILE
      Writes the database and all uploaded files into one archive, beside running servers; - is the standard
      output. Prints {"file","bytes","created_at","last_event_id","rows","files","file_bytes","missing_files"};
      exit code 1 if files are missing.
  restore FILE [--replace]
      Restores a backup, also of an earlier release, into an empty database; - is the standard input. --replace
      first removes everything in the database. No server may be running. Prints {"file","created_at",
      "last_event_id","rows","files","missing_files","migrated"}.
  check
      Compares tables, log, search index, files and the memory of running servers, and lists what differs. Prints
      {"ok","last_event_id","log_entries","is_log_complete","processes","files","differences"}; exit code 1 if
      anything differs.
  check --export FILE --with FILE
      Compares two exports field by field, by names in place of ids, and needs no database: that of a server, and that
      of another one which imported it. Prints {"ok","same_records","differences","difference_count"}, at most 1,000
      differences; exit code 1 if anything differs. See docs/export.md.

It uses the database of DATABASE_URL, or else the embedded one in DATA_DIR, which it starts temporarily if
it is not running. Exit codes: 0 done, 1 refused or failed, 2 wrong arguments.
`
