/** The clients that an event is for, if they need different forms. */
export type ClientKind =
  | 'with_archived_channels'
  | 'without_archived_channels'
  | 'with_deactivated_groups'
  | 'without_deactivated_groups'
  | 'with_bulk_deletion'
  | 'without_bulk_deletion'
  | 'with_channel_typing'
  | 'without_settings_object'
  | 'with_simplified_presence'
  | 'without_simplified_presence'
  | 'with_linkifier_templates'
  | 'without_incomplete_users'
