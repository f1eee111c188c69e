-- The network that asked for a code: whoever asks elsewhere, for somebody else's address, uses up nothing of theirs.
alter table mail_digits add column asked_from text;
