CREATE TABLE `page_addresses` (
	`slug` text PRIMARY KEY NOT NULL,
	`page_id` text NOT NULL,
	FOREIGN KEY (`page_id`) REFERENCES `pages`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `page_addresses_of_page` ON `page_addresses` (`page_id`);--> statement-breakpoint
CREATE TABLE `page_versions` (
	`page_id` text NOT NULL,
	`version` integer NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`page_id`, `version`),
	FOREIGN KEY (`page_id`) REFERENCES `pages`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `pages` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL,
	`footer` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`changed_at` integer NOT NULL,
	`changed_by` text NOT NULL,
	`published_title` text,
	`published_body` text,
	`published_at` integer,
	FOREIGN KEY (`changed_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "pages_slug" CHECK(length("pages"."slug") BETWEEN 1 AND 80 AND "pages"."slug" NOT GLOB '*[^a-z0-9-]*'),
	CONSTRAINT "pages_title" CHECK(length("pages"."title") BETWEEN 1 AND 100),
	CONSTRAINT "pages_body" CHECK(length("pages"."body") BETWEEN 1 AND 50000),
	CONSTRAINT "pages_published" CHECK(("pages"."published_at" IS NULL) = ("pages"."published_title" IS NULL) AND ("pages"."published_at" IS NULL) = ("pages"."published_body" IS NULL))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `pages_footer` ON `pages` (`footer`) WHERE "pages"."footer" NOT IN ('', 'own');--> statement-breakpoint
CREATE INDEX `pages_in_footer` ON `pages` (`published_title`) WHERE "pages"."published_at" IS NOT NULL AND "pages"."footer" <> '';