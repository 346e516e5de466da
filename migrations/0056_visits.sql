CREATE TABLE `daily_visits` (
	`day` integer PRIMARY KEY NOT NULL,
	`views` integer NOT NULL,
	`searches` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `instrument_views` (
	`day` integer NOT NULL,
	`instrument_id` text NOT NULL,
	`views` integer NOT NULL,
	PRIMARY KEY(`day`, `instrument_id`),
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
DROP INDEX `orders_of_instrument`;--> statement-breakpoint
CREATE INDEX `orders_of_instrument` ON `orders` (`instrument_id`,`paid_at`);
--> statement-breakpoint
-- Of a full day the least viewed goes: the rows of a day are bounded, however many instruments a program opens. The sum of the day stays whole.
CREATE TRIGGER `instrument_views_keep_the_most_viewed` AFTER INSERT ON `instrument_views`
WHEN (SELECT count(*) FROM `instrument_views` WHERE `day` = NEW.`day`) > 1000
BEGIN
  DELETE FROM `instrument_views` WHERE rowid = (
    SELECT rowid FROM `instrument_views` WHERE `day` = NEW.`day` AND `instrument_id` <> NEW.`instrument_id` ORDER BY `views`, rowid LIMIT 1
  );
END;
