ALTER TABLE `orders` ADD `language` text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE `wishes` ADD `language` text DEFAULT 'en' NOT NULL;