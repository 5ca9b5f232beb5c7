-- Nobody looks for the notifications of a message that wait, and each of them was written to this index.
drop index pending_notifications_message;
