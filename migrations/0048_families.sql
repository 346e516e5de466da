CREATE TABLE `families` (
	`slug` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`hidden` integer DEFAULT 0 NOT NULL,
	`cases` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "families_slug" CHECK(length("families"."slug") BETWEEN 1 AND 40 AND "families"."slug" GLOB '[a-z0-9]*' AND "families"."slug" NOT GLOB '*[^a-z0-9-]*'),
	CONSTRAINT "families_name" CHECK(length("families"."name") BETWEEN 1 AND 30),
	CONSTRAINT "families_hidden" CHECK("families"."hidden" IN (0, 1)),
	CONSTRAINT "families_cases" CHECK("families"."cases" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `families_once` ON `families` ("name" COLLATE NOCASE);--> statement-breakpoint
CREATE TABLE `former_family_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`family` text NOT NULL,
	FOREIGN KEY (`family`) REFERENCES `families`(`slug`) ON UPDATE cascade ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `former_family_slugs_of` ON `former_family_slugs` (`family`);--> statement-breakpoint
INSERT INTO `families` (`slug`, `name`, `position`, `cases`) VALUES
  ('strings', 'Strings', 0, 0), ('brass', 'Brass', 1, 0), ('woodwind', 'Woodwind', 2, 0), ('cases', 'Cases', 3, 1);
--> statement-breakpoint
DROP INDEX `instruments_on_sale_by_family`;
--> statement-breakpoint
ALTER TABLE `instruments` ADD `family_slug` text REFERENCES `families`(`slug`) ON UPDATE CASCADE;--> statement-breakpoint
CREATE INDEX `instruments_on_sale_by_family` ON `instruments` (`family_slug`,`listed_at`,`id`) WHERE "instruments"."removed_at" IS NULL;
--> statement-breakpoint
UPDATE `instruments` SET `family_slug` = `family` WHERE `family` IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `families_are_bounded` BEFORE INSERT ON `families`
WHEN (SELECT count(*) FROM `families`) >= 20
BEGIN
  SELECT RAISE(ABORT, 'a shop has at most 20 families');
END;
--> statement-breakpoint
CREATE TRIGGER `families_are_counted` AFTER INSERT ON `families`
BEGIN
  INSERT INTO `family_counts` (`family`, `instruments`) VALUES (NEW.`slug`, 0) ON CONFLICT DO NOTHING;
  DELETE FROM `former_family_slugs` WHERE `slug` = NEW.`slug`;
END;
--> statement-breakpoint
-- Before the foreign key moves the instruments, whose triggers count.
CREATE TRIGGER `families_are_counted_under_a_new_slug` BEFORE UPDATE OF `slug` ON `families` WHEN NEW.`slug` <> OLD.`slug`
BEGIN
  INSERT INTO `family_counts` (`family`, `instruments`) VALUES (NEW.`slug`, 0) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `families_keep_former_slugs` AFTER UPDATE OF `slug` ON `families` WHEN NEW.`slug` <> OLD.`slug`
BEGIN
  DELETE FROM `family_counts` WHERE `family` = OLD.`slug`;
  DELETE FROM `former_family_slugs` WHERE `slug` = NEW.`slug`;
  INSERT INTO `former_family_slugs` (`slug`, `family`) VALUES (OLD.`slug`, NEW.`slug`);
  DELETE FROM `former_family_slugs` WHERE `family` = NEW.`slug` AND `rowid` NOT IN (
    SELECT `rowid` FROM `former_family_slugs` WHERE `family` = NEW.`slug` ORDER BY `rowid` DESC LIMIT 3
  );
END;
--> statement-breakpoint
-- The search has the name.
CREATE TRIGGER `families_change_their_name` AFTER UPDATE OF `name` ON `families` WHEN NEW.`name` <> OLD.`name` AND NEW.`slug` = OLD.`slug`
BEGIN
  UPDATE `instruments` SET `family_slug` = `family_slug` WHERE `family_slug` = NEW.`slug` AND `removed_at` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `families_leave_one_that_is_shown` AFTER UPDATE OF `hidden` ON `families`
WHEN NOT EXISTS (SELECT 1 FROM `families` WHERE `hidden` = 0)
BEGIN
  SELECT RAISE(ABORT, 'a shop shows at least one family');
END;
--> statement-breakpoint
CREATE TRIGGER `families_are_deleted` AFTER DELETE ON `families`
BEGIN
  SELECT RAISE(ABORT, 'a shop shows at least one family') WHERE NOT EXISTS (SELECT 1 FROM `families` WHERE `hidden` = 0);
  DELETE FROM `family_counts` WHERE `family` = OLD.`slug`;
END;
--> statement-breakpoint
DROP TRIGGER `instruments_change_in_the_catalog`;
--> statement-breakpoint
CREATE TRIGGER `instruments_change_in_the_catalog` AFTER UPDATE OF `name`, `family_slug`, `brand`, `description`, `removed_at` ON `instruments`
BEGIN
  DELETE FROM `instrument_search` WHERE `rowid` = OLD.`search_id`;
  INSERT INTO `instrument_search` (`rowid`, `name`, `details`)
    SELECT NEW.`search_id`, ' ' || NEW.`name`, concat_ws(' ', '', (SELECT `name` FROM `families` WHERE `slug` = NEW.`family_slug`), NEW.`brand`, NEW.`description`)
    WHERE NEW.`removed_at` IS NULL;
  UPDATE `family_counts` SET `instruments` = `instruments` - 1 WHERE `family` = OLD.`family_slug` AND OLD.`removed_at` IS NULL;
  UPDATE `family_counts` SET `instruments` = `instruments` + 1 WHERE `family` = NEW.`family_slug` AND NEW.`removed_at` IS NULL;
END;
--> statement-breakpoint
DROP TRIGGER `instruments_enter_the_catalog`;
--> statement-breakpoint
CREATE TRIGGER `instruments_enter_the_catalog` AFTER INSERT ON `instruments`
BEGIN
  UPDATE `instruments` SET
    `search_id` = (SELECT coalesce(max(`search_id`), 0) + 1 FROM `instruments`),
    `slug` = coalesce(`slug`, `id`)
    WHERE `id` = NEW.`id`;
  INSERT INTO `instrument_search` (`rowid`, `name`, `details`)
    SELECT `search_id`, ' ' || `name`, concat_ws(' ', '', (SELECT `name` FROM `families` WHERE `slug` = `family_slug`), `brand`, `description`) FROM `instruments`
    WHERE `id` = NEW.`id` AND `removed_at` IS NULL;
  UPDATE `family_counts` SET `instruments` = `instruments` + 1 WHERE `family` = NEW.`family_slug` AND NEW.`removed_at` IS NULL;
  -- A Worker of before families had rows writes `family` alone, and reads nothing else.
  UPDATE `instruments` SET `family_slug` = (SELECT `slug` FROM `families` WHERE `slug` = NEW.`family`)
    WHERE `id` = NEW.`id` AND NEW.`family` IS NOT NULL AND NEW.`family_slug` IS NULL;
  UPDATE `instruments` SET `family` = NEW.`family_slug`
    WHERE `id` = NEW.`id` AND NEW.`family` IS NULL AND NEW.`family_slug` IN ('strings', 'brass', 'woodwind', 'cases');
END;
--> statement-breakpoint
CREATE TRIGGER `instruments_take_the_family_of_an_older_worker` AFTER UPDATE OF `family` ON `instruments`
WHEN NEW.`family` IS NOT iif(NEW.`family_slug` IN ('strings', 'brass', 'woodwind', 'cases'), NEW.`family_slug`, NULL)
BEGIN
  UPDATE `instruments` SET `family_slug` = (SELECT `slug` FROM `families` WHERE `slug` = NEW.`family`) WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `instruments_tell_an_older_worker_the_family` AFTER UPDATE OF `family_slug` ON `instruments`
WHEN NEW.`family` IS NOT iif(NEW.`family_slug` IN ('strings', 'brass', 'woodwind', 'cases'), NEW.`family_slug`, NULL)
BEGIN
  UPDATE `instruments` SET `family` = iif(`family_slug` IN ('strings', 'brass', 'woodwind', 'cases'), `family_slug`, NULL) WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
DROP TRIGGER `instruments_with_new_words`;
--> statement-breakpoint
CREATE TRIGGER `instruments_with_new_words` AFTER UPDATE OF `search_id`, `name`, `family_slug`, `brand`, `attributes`, `description`, `removed_at` ON `instruments`
WHEN NEW.`search_id` IS NOT NULL
BEGIN
  DELETE FROM `instrument_words`
    WHERE `rowid` IN (
      NEW.`search_id`, 1000000000 + NEW.`search_id`, 2000000000 + NEW.`search_id`, 3000000000 + NEW.`search_id`, 4000000000 + NEW.`search_id`
    );
  INSERT INTO `instrument_words` (`rowid`, `text`)
    SELECT NEW.`search_id`, NEW.`name` WHERE NEW.`removed_at` IS NULL
    UNION ALL SELECT 1000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, (SELECT `name` FROM `families` WHERE `slug` = NEW.`family_slug`)) WHERE NEW.`removed_at` IS NULL
    UNION ALL SELECT 2000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, (SELECT `name` FROM `families` WHERE `slug` = NEW.`family_slug`), NEW.`brand`) WHERE NEW.`removed_at` IS NULL
    UNION ALL SELECT 3000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, (SELECT `name` FROM `families` WHERE `slug` = NEW.`family_slug`), NEW.`brand`, NEW.`attributes`)
      WHERE NEW.`removed_at` IS NULL AND NEW.`attributes` <> '[]'
    UNION ALL SELECT 4000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, (SELECT `name` FROM `families` WHERE `slug` = NEW.`family_slug`), NEW.`brand`, NEW.`attributes`, NEW.`description`)
      WHERE NEW.`removed_at` IS NULL;
END;
--> statement-breakpoint
DROP TRIGGER `instruments_change_enqueues_webhooks`;
--> statement-breakpoint
CREATE TRIGGER `instruments_change_enqueues_webhooks` AFTER UPDATE OF `name`, `family_slug`, `brand`, `img`, `alt`, `pictures`, `description`, `attributes`,
  `price_cents`, `price_breaks`, `min_quantity`, `removed_at`, `hidden` ON `instruments`
WHEN (NEW.`name`, NEW.`family_slug`, NEW.`brand`, NEW.`img`, NEW.`alt`, NEW.`pictures`, NEW.`description`, NEW.`attributes`,
    NEW.`price_cents`, NEW.`price_breaks`, NEW.`min_quantity`, NEW.`removed_at`, NEW.`hidden`)
  IS NOT (OLD.`name`, OLD.`family_slug`, OLD.`brand`, OLD.`img`, OLD.`alt`, OLD.`pictures`, OLD.`description`, OLD.`attributes`,
    OLD.`price_cents`, OLD.`price_breaks`, OLD.`min_quantity`, OLD.`removed_at`, OLD.`hidden`)
  AND EXISTS (SELECT 1 FROM `webhook_endpoints` WHERE `state` = 'on')
BEGIN
  INSERT INTO `webhook_deliveries` (`id`, `endpoint_id`, `type`, `subject`, `payload`, `created_at`)
    SELECT 'product_changed_' || lower(hex(randomblob(16))), `webhook_endpoints`.`id`, 'product.changed', 'product:' || NEW.`id`,
      json_object('type', 'product.changed', 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', `now`.`at` / 1000.0, 'unixepoch'), 'version', 1, 'data', json_object('_id', NEW.`id`, 'name', NEW.`name`, 'price', NEW.`price_cents` / 100.0, 'minQuantity', NEW.`min_quantity`,
        'availableQuantity', NEW.`available_quantity`,
        'status', CASE WHEN NEW.`removed_at` IS NULL THEN 'on sale' WHEN NEW.`hidden` = 1 THEN 'hidden' ELSE 'deleted' END)),
      `now`.`at`
    FROM `webhook_endpoints` JOIN (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS `at`) AS `now`
    WHERE `webhook_endpoints`.`state` = 'on' AND instr(`webhook_endpoints`.`events`, ' ' || 'product.changed' || ' ');
END;
