CREATE TABLE `drafts` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`content` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "drafts_content" CHECK(length("drafts"."content") <= 50000)
) STRICT;
--> statement-breakpoint
CREATE INDEX `drafts_of_user` ON `drafts` (`user_id`,`expires_at`);--> statement-breakpoint
CREATE INDEX `drafts_by_end` ON `drafts` (`expires_at`);