CREATE TABLE `recovery_codes` (
	`user_id` text NOT NULL,
	`code_hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `second_factors`(`user_id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `second_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
ALTER TABLE `users` ADD `search_id` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `users_search_id` ON `users` (`search_id`);--> statement-breakpoint
CREATE INDEX `users_admins` ON `users` (`role`) WHERE "users"."role" = 'admin';--> statement-breakpoint
CREATE INDEX `audit_log_of_user` ON `audit_log` (`user_id`,`id`) WHERE "audit_log"."user_id" IS NOT NULL;
--> statement-breakpoint
UPDATE `users` SET `search_id` = `numbers`.`number` FROM (
  SELECT `id`, row_number() OVER (ORDER BY `created_at`, `id`) AS `number` FROM `users`
) AS `numbers` WHERE `users`.`id` = `numbers`.`id`;
--> statement-breakpoint
-- Contentless: the texts stay in `users`.
CREATE VIRTUAL TABLE `user_search` USING fts5(`name`, `email`, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1');
--> statement-breakpoint
INSERT INTO `user_search` (`rowid`, `name`, `email`) SELECT `search_id`, `name`, `email` FROM `users`;
--> statement-breakpoint
CREATE TRIGGER `users_enter_the_search` AFTER INSERT ON `users`
BEGIN
  UPDATE `users` SET `search_id` = (SELECT coalesce(max(`search_id`), 0) + 1 FROM `users`) WHERE `id` = NEW.`id`;
  INSERT INTO `user_search` (`rowid`, `name`, `email`) SELECT `search_id`, `name`, `email` FROM `users` WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `users_change_in_the_search` AFTER UPDATE OF `name`, `email` ON `users`
WHEN NEW.`name` <> OLD.`name` OR NEW.`email` <> OLD.`email`
BEGIN
  DELETE FROM `user_search` WHERE `rowid` = OLD.`search_id`;
  INSERT INTO `user_search` (`rowid`, `name`, `email`) VALUES (NEW.`search_id`, NEW.`name`, NEW.`email`);
END;
--> statement-breakpoint
CREATE TRIGGER `users_leave_the_search` AFTER DELETE ON `users`
BEGIN
  DELETE FROM `user_search` WHERE `rowid` = OLD.`search_id`;
END;
