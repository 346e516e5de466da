CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`calls` integer DEFAULT 0 NOT NULL,
	`window_until` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "api_keys_name" CHECK(length("api_keys"."name") BETWEEN 1 AND 60)
) STRICT;
--> statement-breakpoint
CREATE INDEX `api_keys_of_user` ON `api_keys` (`user_id`);
--> statement-breakpoint
CREATE TRIGGER `users_lose_their_api_keys` AFTER UPDATE OF `role` ON `users` WHEN NEW.`role` <> 'admin'
BEGIN
  DELETE FROM `api_keys` WHERE `user_id` = NEW.`id`;
END;
