DROP INDEX `reviews_of_user`;--> statement-breakpoint
CREATE INDEX `reviews_of_user` ON `reviews` (`user_id`,`created_at`);