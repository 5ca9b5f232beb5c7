-- What senders of webhooks to a bot must know beside its key. It is not hashed: signatures are made with it.
alter table bot_setups add column webhook_secret text;
