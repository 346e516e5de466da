CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`user_handle` text NOT NULL,
	`public_key` text NOT NULL,
	`sign_count` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "passkeys_name" CHECK(length("passkeys"."name") BETWEEN 1 AND 50)
) STRICT;
--> statement-breakpoint
CREATE INDEX `passkeys_by_user` ON `passkeys` (`user_id`,`created_at`);
--> statement-breakpoint
CREATE TRIGGER `passkeys_of_open_accounts` BEFORE INSERT ON `passkeys`
WHEN (SELECT `closed_at` FROM `users` WHERE `id` = NEW.`user_id`) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a closed account stays closed');
END;
--> statement-breakpoint
-- A copied passkey has an old counter.
CREATE TRIGGER `passkeys_count_up` BEFORE UPDATE ON `passkeys`
WHEN NEW.`sign_count` < OLD.`sign_count` OR NEW.`id` <> OLD.`id` OR NEW.`user_id` <> OLD.`user_id`
  OR NEW.`public_key` <> OLD.`public_key`
BEGIN
  SELECT RAISE(ABORT, 'a passkey stays that of its user');
END;
