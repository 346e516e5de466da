CREATE TABLE `instrument_ratings` (
	`instrument_id` text PRIMARY KEY NOT NULL,
	`reviews` integer NOT NULL,
	`ratings` integer NOT NULL,
	`stars` integer NOT NULL,
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE `reviews` ADD `instrument_id` text REFERENCES instruments(id);--> statement-breakpoint
ALTER TABLE `reviews` ADD `rating` integer
  CONSTRAINT "reviews_rating" CHECK("rating" BETWEEN 1 AND 5);--> statement-breakpoint
CREATE INDEX `reviews_of_instrument` ON `reviews` (`instrument_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_bought` ON `orders` (`customer_id`,`instrument_id`) WHERE "orders"."state" IN ('paid', 'shipped') AND "orders"."refunded_cents" < "orders"."total_cents";;
--> statement-breakpoint
CREATE TRIGGER `reviews_are_counted` AFTER INSERT ON `reviews`
WHEN NEW.`instrument_id` IS NOT NULL AND NEW.`hidden_at` IS NULL
BEGIN
  INSERT INTO `instrument_ratings` (`instrument_id`, `reviews`, `ratings`, `stars`)
    VALUES (NEW.`instrument_id`, 1, NEW.`rating` IS NOT NULL, coalesce(NEW.`rating`, 0))
    ON CONFLICT (`instrument_id`) DO UPDATE SET
      `reviews` = `reviews` + 1, `ratings` = `ratings` + excluded.`ratings`, `stars` = `stars` + excluded.`stars`;
END;
--> statement-breakpoint
CREATE TRIGGER `reviews_are_counted_when_shown` AFTER UPDATE OF `hidden_at` ON `reviews`
WHEN NEW.`instrument_id` IS NOT NULL AND (NEW.`hidden_at` IS NULL) <> (OLD.`hidden_at` IS NULL)
BEGIN
  UPDATE `instrument_ratings` SET
    `reviews` = `reviews` + iif(NEW.`hidden_at` IS NULL, 1, -1),
    `ratings` = `ratings` + iif(NEW.`hidden_at` IS NULL, 1, -1) * (NEW.`rating` IS NOT NULL),
    `stars` = `stars` + iif(NEW.`hidden_at` IS NULL, 1, -1) * coalesce(NEW.`rating`, 0)
    WHERE `instrument_id` = NEW.`instrument_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `reviews_are_no_longer_counted` AFTER DELETE ON `reviews`
WHEN OLD.`instrument_id` IS NOT NULL AND OLD.`hidden_at` IS NULL
BEGIN
  UPDATE `instrument_ratings` SET
    `reviews` = `reviews` - 1, `ratings` = `ratings` - (OLD.`rating` IS NOT NULL), `stars` = `stars` - coalesce(OLD.`rating`, 0)
    WHERE `instrument_id` = OLD.`instrument_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `reviews_keep_their_stars` BEFORE UPDATE OF `instrument_id`, `rating` ON `reviews`
WHEN NEW.`instrument_id` IS NOT OLD.`instrument_id` OR NEW.`rating` IS NOT OLD.`rating`
BEGIN
  SELECT RAISE(ABORT, 'a review keeps its instrument and its stars');
END;
