CREATE TABLE `submissions` (
	`actor` text NOT NULL,
	`key` text NOT NULL,
	`content` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`actor`, `key`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `submissions_by_time` ON `submissions` (`at`);