-- The field's names for tables and columns. Rows, triggers and constraints stay as they are: SQLite renames what they refer to.

ALTER TABLE `mails` RENAME TO `emails`;--> statement-breakpoint
ALTER TABLE `mail_tokens` RENAME TO `email_tokens`;--> statement-breakpoint
ALTER TABLE `tries` RENAME TO `rate_limits`;--> statement-breakpoint
ALTER TABLE `stripe_events` RENAME TO `webhook_events`;--> statement-breakpoint
ALTER TABLE `journal` RENAME TO `audit_log`;--> statement-breakpoint
ALTER TABLE `emails` RENAME COLUMN `journal_id` TO `audit_log_id`;--> statement-breakpoint
ALTER TABLE `refunds` RENAME COLUMN `undone_at` TO `failed_at`;--> statement-breakpoint
DROP INDEX `mail_tokens_by_user`;--> statement-breakpoint
CREATE INDEX `email_tokens_by_user` ON `email_tokens` (`user_id`,`purpose`);--> statement-breakpoint
DROP INDEX `mail_tokens_by_expiry`;--> statement-breakpoint
CREATE INDEX `email_tokens_by_expiry` ON `email_tokens` (`expires_at`);--> statement-breakpoint
DROP INDEX `tries_by_end`;--> statement-breakpoint
CREATE INDEX `rate_limits_by_end` ON `rate_limits` (`until`);--> statement-breakpoint
DROP INDEX `stripe_events_by_age`;--> statement-breakpoint
CREATE INDEX `webhook_events_by_age` ON `webhook_events` (`received_at`);--> statement-breakpoint
DROP INDEX `mails_waiting`;--> statement-breakpoint
CREATE INDEX `emails_pending` ON `emails` (`due_at`) WHERE "emails"."sent_at" IS NULL;--> statement-breakpoint
DROP INDEX `journal_of_order`;--> statement-breakpoint
CREATE INDEX `audit_log_of_order` ON `audit_log` (`order_id`,`id`);--> statement-breakpoint
DROP INDEX `journal_of_instrument`;--> statement-breakpoint
CREATE INDEX `audit_log_of_instrument` ON `audit_log` (`instrument_id`,`id`);
