CREATE TABLE `health` (
	`id` integer PRIMARY KEY NOT NULL,
	`checked_at` integer,
	`ballast` text DEFAULT '' NOT NULL,
	`cron_run` text,
	`cron_lease_until` integer DEFAULT 0 NOT NULL,
	`cron_started_at` integer,
	`cron_finished_at` integer NOT NULL,
	CONSTRAINT "health_one" CHECK("health"."id" = 1)
) STRICT;
--> statement-breakpoint
-- The cron trigger has some time for its first run, too.
INSERT INTO `health` (`id`, `cron_finished_at`) VALUES (1, unixepoch() * 1000);
