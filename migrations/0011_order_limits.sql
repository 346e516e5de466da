CREATE TABLE `__new_email_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "mail_tokens_purpose" CHECK("__new_email_tokens"."purpose" IN ('verify-email', 'reset-password', 'sign-in'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_email_tokens`("token_hash", "user_id", "purpose", "created_at", "expires_at", "used_at") SELECT "token_hash", "user_id", "purpose", "created_at", "expires_at", "used_at" FROM `email_tokens`;--> statement-breakpoint
DROP TABLE `email_tokens`;--> statement-breakpoint
ALTER TABLE `__new_email_tokens` RENAME TO `email_tokens`;--> statement-breakpoint
CREATE INDEX `email_tokens_by_user` ON `email_tokens` (`user_id`,`purpose`);--> statement-breakpoint
CREATE INDEX `email_tokens_by_expiry` ON `email_tokens` (`expires_at`);--> statement-breakpoint
ALTER TABLE `orders` ADD `ip_hash` text;--> statement-breakpoint
CREATE INDEX `orders_of_ip` ON `orders` (`ip_hash`,`created_at`) WHERE "orders"."ip_hash" IS NOT NULL;

--> statement-breakpoint
-- Order emails go to verified addresses only (R49): otherwise an account in somebody else's name could mail them.
DROP TRIGGER `journal_writes_letters`;
--> statement-breakpoint
CREATE TRIGGER `audit_log_enqueues_emails` AFTER INSERT ON `audit_log`
WHEN NEW.`event` IN ('order placed', 'order paid', 'order shipped', 'order cancelled', 'refund made')
  -- The terms of such an order are the words of whoever did not own the address.
  AND NEW.`actor` <> 'account recovery'
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `audit_log_id`)
    SELECT NEW.`event` || ':' || `orders`.`id` || CASE NEW.`event` WHEN 'refund made' THEN ':' || NEW.`note` ELSE '' END,
      `orders`.`customer_email`, '', '', '', NEW.`at`, NEW.`at`, NEW.`id`
    FROM `orders` JOIN `users` ON `users`.`id` = `orders`.`customer_id`
    WHERE `orders`.`id` = NEW.`order_id` AND `users`.`email_verified_at` IS NOT NULL;
END;
