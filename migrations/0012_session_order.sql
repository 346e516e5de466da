DROP INDEX `access_tokens_by_session`;--> statement-breakpoint
CREATE INDEX `access_tokens_by_session` ON `access_tokens` (`session_hash`,`created_at`);--> statement-breakpoint
DROP INDEX `sessions_by_user`;--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`,`seen_at`);